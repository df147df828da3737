/** The newest heads in a response of any process of the service, so that no process responds with an older one. */
import { join } from "node:path";
import { open } from "lmdb";

/** The newest masterchain block of a network, and the newest one that all of its nodes have. */
export interface Heads<Head> {
  readonly head: Head;
  readonly consensus: Head;
}

/** Keeps the newest heads. */
export interface NewestHeads<Head> {
  /** Adds the heads of this process, and returns the newest ones of all processes; undefined before the first. */
  newest(own: Heads<Head> | undefined): Heads<Head> | undefined;
  close(): Promise<void>;
}

/** The number of a head. */
type SeqnoOf<Head> = (head: Head) => number;

/** For a single process. */
export function newestHeads<Head>(seqnoOf: SeqnoOf<Head>): NewestHeads<Head> {
  let newest: Heads<Head> | undefined;
  return {
    newest: (own) => (newest = newer(newest, own, seqnoOf)),
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
 * const heads = sharedHeads<LiteHead>(folder, ({ block }) => block.seqno);
 * heads.newest({ head: client.head, consensus: client.head });
 * ```
 */
export function sharedHeads<Head>(folder: string, seqnoOf: SeqnoOf<Head>): NewestHeads<Head> {
  const file = open<Heads<Head>, string>({ path: join(folder, "heads.mdb"), noSync: true, mapSize: 2 ** 20 });
  let last: Heads<Head> | undefined;
  return {
    newest(own) {
      // A read transaction stays open for a millisecond, and does not see what other processes write meanwhile.
      file.resetReadTxn();
      let stored = file.get(key);
      if (own !== undefined && newer(stored, own, seqnoOf) !== stored) {
        stored = file.transactionSync(() => {
          const current = newer(file.get(key), own, seqnoOf);
          file.putSync(key, current);
          return current;
        });
      }
      // The same objects until they change: responses are cached by them.
      if (newer(last, stored, seqnoOf) !== last) last = newer(last, stored && withoutViews(stored), seqnoOf);
      return last;
    },
    close: () => file.close(),
  };
}

const key = "heads";

/** Copies bytes that are views of memory that LMDB uses again. */
function withoutViews<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return new Uint8Array(value) as Value & Uint8Array;
  if (Array.isArray(value)) return value.map(withoutViews) as Value & unknown[];
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutViews(part)])) as Value;
}

/** The newer ones of two; of equal ones the first. */
function newer<Head>(known: Heads<Head> | undefined, other: Heads<Head>, seqnoOf: SeqnoOf<Head>): Heads<Head>;
function newer<Head>(
  known: Heads<Head> | undefined,
  other: Heads<Head> | undefined,
  seqnoOf: SeqnoOf<Head>,
): Heads<Head> | undefined;
function newer<Head>(
  known: Heads<Head> | undefined,
  other: Heads<Head> | undefined,
  seqnoOf: SeqnoOf<Head>,
): Heads<Head> | undefined {
  if (known === undefined || other === undefined) return known ?? other;
  const head = seqnoOf(other.head) > seqnoOf(known.head) ? other.head : known.head;
  const consensus = seqnoOf(other.consensus) > seqnoOf(known.consensus) ? other.consensus : known.consensus;
  return head === known.head && consensus === known.consensus ? known : { head, consensus };
}
