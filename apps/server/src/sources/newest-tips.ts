/** The newest tips in a response of any process of the service, so that no process responds with an older one. */
import { join } from "node:path";
import { open } from "lmdb";

/** The newest masterchain block of a network, and the newest one that all of its nodes have. */
export interface Tips<Tip> {
  readonly tip: Tip;
  readonly consensus: Tip;
}

/**
 * Keeps the newest tips. They go back only with a new era, which begins when the servers turn out to be of another chain. A process adds
 * tips only to the era that it has joined, so that one that still reads from the old servers does not bring the old tips back.
 */
export interface NewestTips<Tip> {
  /** The number of eras before the current one, as of the last call of `newest`. */
  readonly era: number;
  /** Adds the tips of this process, and returns the newest ones of all processes; undefined before the first. */
  newest(own: Tips<Tip> | undefined): Tips<Tip> | undefined;
  /** Begins an era with these tips. */
  begin(own: Tips<Tip>): void;
  /** The same, but joins the era that another process has begun since this one joined one: each of them has found out the same. */
  restart(own: Tips<Tip>): void;
  /** Joins the current era. */
  join(): void;
  close(): Promise<void>;
}

/** The number of a tip. */
type SeqnoOf<Tip> = (tip: Tip) => number;

/** For a single process. */
export function newestTips<Tip>(seqnoOf: SeqnoOf<Tip>): NewestTips<Tip> {
  let newest: Tips<Tip> | undefined;
  let era = 0;
  const begin = (own: Tips<Tip>): void => {
    era += 1;
    newest = own;
  };
  return {
    get era() {
      return era;
    },
    newest: (own) => (newest = newer(newest, own, seqnoOf)),
    begin,
    restart: begin,
    join: () => {},
    close: async () => {},
  };
}

/** The tips of an era. */
interface Stored<Tip> {
  readonly era: number;
  readonly tips: Tips<Tip> | undefined;
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
  const file = open<Stored<Tip>, string>({ path: join(folder, "tips.mdb"), noSync: true, mapSize: 2 ** 20 });
  const read = (): Stored<Tip> => file.get(key) ?? { era: 0, tips: undefined };
  const write = (change: (stored: Stored<Tip>) => Stored<Tip>): Stored<Tip> =>
    file.transactionSync(() => {
      const stored = read();
      const changed = change(stored);
      if (changed !== stored) file.putSync(key, changed);
      return changed;
    });
  const add = (stored: Stored<Tip>, own: Tips<Tip>): Stored<Tip> => {
    const tips = newer(stored.tips, own, seqnoOf);
    return stored.era !== joined || tips === stored.tips ? stored : { ...stored, tips };
  };
  let joined = read().era;
  let last: Stored<Tip> = { era: joined, tips: undefined };
  return {
    get era() {
      return last.era;
    },
    newest(own) {
      // A read transaction stays open for a millisecond, and does not see what other processes write meanwhile.
      file.resetReadTxn();
      let stored = read();
      if (own !== undefined && add(stored, own) !== stored) stored = write((current) => add(current, own));
      const { era } = stored;
      // The same objects until they change: responses are cached by them.
      if (era !== last.era) last = { era, tips: withoutViews(stored.tips) };
      else if (newer(last.tips, stored.tips, seqnoOf) !== last.tips)
        last = { era, tips: newer(last.tips, withoutViews(stored.tips), seqnoOf) };
      return last.tips;
    },
    begin(own) {
      joined = write(({ era }) => ({ era: era + 1, tips: own })).era;
    },
    restart(own) {
      const stored = write((current) => {
        if (current.era === joined) return { era: joined + 1, tips: own };
        joined = current.era;
        return add(current, own);
      });
      joined = stored.era;
    },
    join() {
      file.resetReadTxn();
      joined = read().era;
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
