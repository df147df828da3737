/** What each read of a chain gets, whichever reader answers it: the deadline, errors in words for callers, and one read for equal ones. */
import { type Awaitable, andThen, untilAborted } from "@chain-query/format/async";
import { OperationalError } from "@chain-query/format/error";
import { ChainReadError, type ChainReader, type Head } from "@chain-query/format/store";
import { HttpError } from "./failure.ts";
import { SharedWork } from "./shared-work.ts";

/** The words for callers of an error whose text may name hosts, folders and databases. */
export type WordsOf = (error: OperationalError, signal: AbortSignal) => Readonly<Record<"slow" | "unavailable", string>>;

/** The head that a request was answered as of, by its signal. */
const headsSeen = new WeakMap<AbortSignal, number>();

/** Seqno of the head that the work of a signal has read first; undefined if it has read none. */
export function headSeen(signal: AbortSignal): number | undefined {
  return headsSeen.get(signal);
}

/** Forgets the head that the work of a signal has read, when it begins again. */
export function forgetHead(signal: AbortSignal): void {
  headsSeen.delete(signal);
}

/** What a reader decides itself. */
interface Decoration {
  readonly wordsOf: WordsOf;
  /** Why nothing may be read, in words for callers; undefined if everything may. */
  readonly problem?: () => string | undefined;
}

/** The error for the caller of a failed read, by the status of the error. */
export function readError(error: unknown, wordsOf: WordsOf, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (!(error instanceof OperationalError) || error instanceof HttpError || error instanceof ChainReadError) return error;
  const kind = ({ 504: "slow", 542: "unavailable" } as const)[error.status];
  return kind === undefined ? error : new ChainReadError(kind, wordsOf(error, signal)[kind], { cause: error });
}

/** The reader of a service. Answers at once where the given one does. */
export function decorate(reader: ChainReader, { wordsOf, problem = () => undefined }: Decoration): ChainReader {
  const guarded =
    <Args extends readonly unknown[], Result>(read: (...args: Args) => Awaitable<Result>) =>
    (...args: Args): Awaitable<Result> => {
      const signal = args.at(-1);
      if (!(signal instanceof AbortSignal)) throw new TypeError("a read has no signal");
      const reason = problem();
      if (reason !== undefined) throw new ChainReadError("unavailable", reason);
      const fail = (error: unknown): never => {
        throw readError(error, wordsOf, signal);
      };
      try {
        const result = read(...args);
        return result instanceof Promise ? untilAborted(result, signal).catch(fail) : result;
      } catch (error) {
        return fail(error);
      }
    };
  /** What is not read as of a head that the caller gives. */
  const noting =
    <Args extends readonly unknown[], Result>(
      read: (...args: Args) => Awaitable<Result>,
      seqnoOf: (result: Result, ...args: Args) => number | undefined,
    ) =>
    (...args: Args): Awaitable<Result> =>
      andThen(read(...args), (result) => {
        const signal = args.at(-1) as AbortSignal;
        const seqno = seqnoOf(result, ...args);
        if (seqno !== undefined && !headsSeen.has(signal)) headsSeen.set(signal, seqno);
        return result;
      });
  /** Of a head, which needs one read. */
  const once = <Result extends object>(read: (at: Head, signal: AbortSignal) => Awaitable<Result>) => {
    const work = new SharedWork<Result>();
    const known = new WeakMap<Head, Result>();
    return async (at: Head, signal: AbortSignal): Promise<Result> => {
      const found = known.get(at) ?? (await work.run(String(at.block.id.seqno), async (shared) => read(at, shared), signal));
      known.set(at, found);
      return found;
    };
  };
  const [readShards, readQueues] = [once(reader.shards), once(reader.queues)];
  return {
    ...reader,
    known() {
      try {
        return reader.known();
      } catch {
        // The read of a request says why.
        return undefined;
      }
    },
    head: guarded(noting(reader.head, ({ block }) => block.id.seqno)),
    consensus: guarded((signal) => {
      const known = reader.known()?.block.id.seqno ?? 0;
      // Databases may have a newer block than this process knows.
      return noting(reader.consensus, ({ id }) => Math.max(id.seqno, known))(signal);
    }),
    genesis: guarded(reader.genesis),
    account: guarded(noting(reader.account, (state, _, asOf) => (asOf === undefined ? state?.block.id.seqno : undefined))),
    newestTransactions: guarded(reader.newestTransactions),
    history: guarded(reader.history),
    block: guarded(reader.block),
    shards: guarded((at, signal) => at.shards ?? readShards(at, signal)),
    queues: guarded((at, signal) => at.shards ?? readQueues(at, signal)),
    findSender: guarded(reader.findSender),
    findReceiver: guarded(reader.findReceiver),
    retainedSince: guarded(reader.retainedSince),
  };
}
