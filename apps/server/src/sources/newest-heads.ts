/** The newest heads that any process of the service has answered with, so that no process answers with an older one. */
import { join } from "node:path";
import type { LiteHead } from "@chain-query/lite-client";
import { open } from "lmdb";

/** The newest masterchain block of a network, and the newest one that most of its servers have. */
export interface LiteHeads {
  readonly head: LiteHead;
  readonly consensus: LiteHead;
}

/** Keeps the newest heads. */
export interface NewestHeads {
  /** Adds the heads of this process, and returns the newest ones of all processes; undefined before the first. */
  newest(own: LiteHeads | undefined): LiteHeads | undefined;
  close(): Promise<void>;
}

/** For a single process. */
export function newestHeads(): NewestHeads {
  let newest: LiteHeads | undefined;
  return {
    newest: (own) => (newest = newer(newest, own)),
    close: async () => {},
  };
}

/**
 * For several processes, in an LMDB file: what one process has added, all others read from then on.
 *
 * @param folder - A temporary folder; the file has no meaning after the processes end.
 *
 * @example
 * ```ts
 * const heads = sharedHeads(folder);
 * heads.newest({ head: client.head, consensus: client.consensus });
 * ```
 */
export function sharedHeads(folder: string): NewestHeads {
  const file = open<LiteHeads, string>({ path: join(folder, "heads.mdb"), noSync: true, mapSize: 2 ** 20 });
  let last: LiteHeads | undefined;
  return {
    newest(own) {
      // A read transaction stays open for a millisecond, in which another process may add a head.
      file.resetReadTxn();
      let stored = file.get(key);
      if (own !== undefined && newer(stored, own) !== stored) {
        stored = file.transactionSync(() => {
          const current = newer(file.get(key), own);
          file.putSync(key, current);
          return current;
        });
      }
      // The same objects until they change: answers are cached by them.
      if (newer(last, stored) !== last) last = newer(last, stored && withoutViews(stored));
      return last;
    },
    close: () => file.close(),
  };
}

const key = "heads";

/** Copies bytes that are views of memory that LMDB uses again. */
function withoutViews({ head, consensus }: LiteHeads): LiteHeads {
  return { head: copyOf(head), consensus: copyOf(consensus) };
}

function copyOf({ block, stateRootHash, ...head }: LiteHead): LiteHead {
  const { rootHash, fileHash, ...id } = block;
  const hashes = { rootHash: new Uint8Array(rootHash), fileHash: new Uint8Array(fileHash) };
  return { ...head, block: { ...id, ...hashes }, stateRootHash: new Uint8Array(stateRootHash) };
}

/** The newer ones of two; of equal ones the first. */
function newer(known: LiteHeads, other: LiteHeads | undefined): LiteHeads;
function newer(known: LiteHeads | undefined, other: LiteHeads): LiteHeads;
function newer(known: LiteHeads | undefined, other: LiteHeads | undefined): LiteHeads | undefined;
function newer(known: LiteHeads | undefined, other: LiteHeads | undefined): LiteHeads | undefined {
  if (known === undefined || other === undefined) return known ?? other;
  const head = newerHead(known.head, other.head);
  const consensus = newerHead(known.consensus, other.consensus);
  return head === known.head && consensus === known.consensus ? known : { head, consensus };
}

function newerHead(known: LiteHead, other: LiteHead): LiteHead {
  return other.block.seqno > known.block.seqno ? other : known;
}
