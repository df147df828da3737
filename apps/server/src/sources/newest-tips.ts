/** The newest tips in a response of any process of the service, so that no process responds with an older one. */
import { join } from "node:path";
import { open } from "lmdb";

/** The newest masterchain block of a network, and the newest one that all of its nodes have. */
export interface Tips<Tip> {
  readonly tip: Tip;
  readonly consensus: Tip;
}

/** Keeps the newest tips. */
export interface NewestTips<Tip> {
  /** Adds the tips of this process, and returns the newest ones of all processes; undefined before the first. */
  newest(own: Tips<Tip> | undefined): Tips<Tip> | undefined;
  close(): Promise<void>;
}

/** The number of a tip. */
type SeqnoOf<Tip> = (tip: Tip) => number;

/** For a single process. */
export function newestTips<Tip>(seqnoOf: SeqnoOf<Tip>): NewestTips<Tip> {
  let newest: Tips<Tip> | undefined;
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
 * const tips = sharedTips<LiteHead>(folder, ({ block }) => block.seqno);
 * tips.newest({ tip: client.head, consensus: client.head });
 * ```
 */
export function sharedTips<Tip>(folder: string, seqnoOf: SeqnoOf<Tip>): NewestTips<Tip> {
  const file = open<Tips<Tip>, string>({ path: join(folder, "tips.mdb"), noSync: true, mapSize: 2 ** 20 });
  let last: Tips<Tip> | undefined;
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

const key = "tips";

/** Copies bytes that are views of memory that LMDB uses again. */
function withoutViews<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return new Uint8Array(value) as Value & Uint8Array;
  if (Array.isArray(value)) return value.map(withoutViews) as Value & unknown[];
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutViews(part)])) as Value;
}

/** The newer ones of two; of equal ones the first. */
function newer<Tip>(known: Tips<Tip> | undefined, other: Tips<Tip>, seqnoOf: SeqnoOf<Tip>): Tips<Tip>;
function newer<Tip>(known: Tips<Tip> | undefined, other: Tips<Tip> | undefined, seqnoOf: SeqnoOf<Tip>): Tips<Tip> | undefined;
function newer<Tip>(known: Tips<Tip> | undefined, other: Tips<Tip> | undefined, seqnoOf: SeqnoOf<Tip>): Tips<Tip> | undefined {
  if (known === undefined || other === undefined) return known ?? other;
  const tip = seqnoOf(other.tip) > seqnoOf(known.tip) ? other.tip : known.tip;
  const consensus = seqnoOf(other.consensus) > seqnoOf(known.consensus) ? other.consensus : known.consensus;
  return tip === known.tip && consensus === known.consensus ? known : { tip, consensus };
}
