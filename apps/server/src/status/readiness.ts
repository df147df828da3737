/** Whether the service is ready for requests, with the reason if not. */
import { ChainReadError, type ChainReader } from "@chain-query/format/store";
import { operationsById } from "@chain-query/openapi/operations";
import type { ResultOf } from "@chain-query/types";

interface ReadinessSources {
  readonly source: ChainReader;
  /** Seconds between blocks; undefined if the service makes none. */
  readonly blockInterval: number | undefined;
  /** Seconds since the time of the newest block above which the service is not ready; 0 for no limit. */
  readonly maxHeadAge: number;
  /** Why the service is not ready although the source can be read; undefined if it is. */
  readonly problem?: () => string | undefined;
  /** A problem of a service that is ready. */
  readonly warning?: () => string | undefined;
}

/** Seconds by which a network's newest block may be ahead of the clock, which would hide that long that no newer one arrives. */
const maxAhead = 30;

/** Why the service is not ready; undefined if it is. */
export async function notReady(
  { source, blockInterval, maxHeadAge, problem, warning }: ReadinessSources,
  signal: AbortSignal,
): Promise<string | undefined> {
  const known = problem?.();
  if (known !== undefined) return known;
  try {
    const { block } = await source.head(signal);
    const age = Math.round(Date.now() / 1000 - block.time);
    if (maxHeadAge > 0 && age > maxHeadAge)
      return [`the newest block is ${age} s old, more than --max-head-age ${maxHeadAge}`, warning?.()]
        .filter(Boolean)
        .join(": ");
    if (maxHeadAge > 0 && -age > maxAhead)
      return `the newest block is ${-age} s ahead of the clock: set the clock of this machine`;
    if (blockInterval === undefined) return undefined;
    const until = aheadUntil(block.time, blockInterval);
    if (until !== undefined) return `the chain is ahead of the clock: no block until ${isoTime(until)}`;
    return await missingHistory(source, block.id.seqno, signal);
  } catch (error) {
    return error instanceof ChainReadError ? error.message : "the chain cannot be read";
  }
}

/** The time of the next block in Unix seconds, if the head is later than the clock by over an interval; otherwise undefined. */
export function aheadUntil(headTime: number, blockInterval: number): number | undefined {
  return headTime - Date.now() / 1000 > blockInterval ? headTime + blockInterval : undefined;
}

/** A time in Unix seconds as text, without milliseconds. */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}

const documented = documentedHead();

/**
 * The documented history that a chain lacks. The service makes the chain of the documentation's examples at its first start, since LMDB's
 * pages depend on the machine. Undefined on other chains, and if it has all.
 */
async function missingHistory(source: ChainReader, seqno: number, signal: AbortSignal): Promise<string | undefined> {
  const { last, init } = documented;
  if (seqno >= last.seqno) return undefined;
  const { block } = await source.genesis(signal);
  if (Buffer.from(block.rootHash).toString("base64") !== init.root_hash) return undefined;
  return `the documented history is being made: block ${seqno} of ${last.seqno}; documented accounts may be empty until then`;
}

function documentedHead(): ResultOf<"getMasterchainInfo"> {
  const example = operationsById.getMasterchainInfo.examples.find(({ condition }) => condition === "head");
  if (example === undefined) throw new TypeError("the contract has no example of the head");
  return (example.response.body as { readonly result: ResultOf<"getMasterchainInfo"> }).result;
}
