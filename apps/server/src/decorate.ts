/** What each read of a chain gets, whichever reader answers it: the deadline, errors in words for callers, its time, and one read for equal ones. */
import { type Awaitable, decorate, type Method, untilAborted } from "@chain-query/format/async";
import { OperationalError } from "@chain-query/format/error";
import { type AnswerProofs, ChainReadError, type ChainReader, type Head, type ShardQueue } from "@chain-query/format/store";
import { HttpError } from "./failure.ts";
import { SharedWork } from "./shared-work.ts";

/** The words for callers of an error whose text may name hosts, folders and databases. */
export type WordsOf = (error: OperationalError, signal: AbortSignal) => Readonly<Record<"slow" | "unavailable", string>>;

/** What a reader decides itself. */
interface Decoration {
  readonly wordsOf: WordsOf;
  /** Why nothing may be read, in words for callers; undefined if everything may. */
  readonly problem?: () => string | undefined;
  /** Receives the time of a read that did not answer at once. */
  readonly onRead?: (read: string, seconds: number, hasFailed: boolean) => void;
}

/** The error for the caller of a failed read, by the status of the error. */
export function readError(error: unknown, wordsOf: WordsOf, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (!(error instanceof OperationalError) || error instanceof HttpError || error instanceof ChainReadError) return error;
  const kind = ({ 504: "slow", 542: "unavailable" } as const)[error.status];
  return kind === undefined ? error : new ChainReadError(kind, wordsOf(error, signal)[kind], { cause: error });
}

/** The reader of a service. Answers at once where the given one does. */
export function serviceReader(reader: ChainReader, decoration: Decoration): ChainReader {
  const [shards, queues] = [once(reader.shards), once(reader.queues)];
  return decorate<ChainReader>({ ...reader, shards, queues }, readWith(decoration));
}

/** The proofs of a service, see {@link serviceReader}. Their time is not that of reads of the chain. */
export function serviceProofs(proofs: AnswerProofs, decoration: Decoration): AnswerProofs {
  return decorate<AnswerProofs>(proofs, readWith({ ...decoration, onRead: () => {} }));
}

function readWith({ wordsOf, problem = () => undefined, onRead = () => {} }: Decoration) {
  return (read: Method, args: readonly unknown[], name: string): unknown => {
    const signal = args.at(-1);
    if (!(signal instanceof AbortSignal)) return read(...args);
    const reason = problem();
    if (reason !== undefined) throw new ChainReadError("unavailable", reason);
    try {
      const result = read(...args);
      if (!(result instanceof Promise)) return result;
      const started = performance.now();
      const ended = (hasFailed: boolean): void => onRead(name, (performance.now() - started) / 1000, hasFailed);
      return untilAborted(result, signal).then(
        (value) => {
          ended(false);
          return value;
        },
        (error: unknown) => {
          ended(true);
          throw readError(error, wordsOf, signal);
        },
      );
    } catch (error) {
      throw readError(error, wordsOf, signal);
    }
  };
}

/** What needs one read for a head that does not have it. */
function once<Part extends object>(
  read: (at: Head, signal: AbortSignal) => Awaitable<Part>,
): (at: Head, signal: AbortSignal) => Awaitable<Part | readonly ShardQueue[]> {
  const work = new SharedWork<Part>();
  const known = new WeakMap<Head, Part>();
  const readOnce = async (at: Head, signal: AbortSignal): Promise<Part> => {
    const found = await work.run(String(at.block.id.seqno), async (shared) => read(at, shared), signal);
    known.set(at, found);
    return found;
  };
  return (at, signal) => at.shards ?? known.get(at) ?? readOnce(at, signal);
}
