/** What the status page tells: made at most once a second, whoever asks and however often. */
import type { ChainSource } from "../chain-source.ts";
import { countedSince, countsIn, type RequestCounts, secondsWithin } from "./request-counts.ts";

/** The service at one moment. */
export interface Status {
  /** Unix seconds of this status. */
  readonly time: number;
  /** Undefined where the chain cannot be read. */
  readonly chain?: {
    readonly seqno: number;
    /** Unix seconds of the newest masterchain block. */
    readonly time: number;
    /** Masterchain blocks per second, of the last minute. */
    readonly blocksPerSecond: number;
    /** From genesis to the head. */
    readonly transactions: number;
  };
  /** The contract's operations in the last seconds, by all processes; undefined until two counts can be compared. */
  readonly requests?: {
    /** How many seconds that is. */
    readonly seconds: number;
    readonly perSecond: number;
    /** Share, from 0 to 1, that was answered with 400 to 499. */
    readonly refused: number;
    /** Share, from 0 to 1, that was answered with 500 and above. */
    readonly failed: number;
    /** Milliseconds within which half of them were answered, estimated from a histogram; undefined where there were none. */
    readonly p50?: number;
    /** The same of 99 in a hundred. */
    readonly p99?: number;
  };
}

interface Sample {
  /** Milliseconds of a clock that is never set back. */
  readonly at: number;
  readonly counts: RequestCounts;
}

const masterchain = { workchain: -1, shard: -(2n ** 63n) };
const blockWindow = 60;
/** Milliseconds for which a status is the same for all. */
const freshFor = 950;
/** Milliseconds. What is older tells nothing of now. */
const requestWindow = 10_500;

/**
 * Makes the status of a service.
 *
 * @param metricsText - The metrics of all processes in Prometheus' text form.
 *
 * @example
 * ```ts
 * const status = statusOf(source, () => registry.metrics());
 * (await status()).chain?.seqno; // 121
 * ```
 */
export function statusOf(source: ChainSource, metricsText: () => Promise<string>): () => Promise<Status> {
  const requestsNow = requestsOf(metricsText);
  let made: Promise<Status> | undefined;
  let madeAt = 0;

  const make = async (): Promise<Status> => {
    const time = Math.floor(Date.now() / 1000);
    const [chain, requests] = await Promise.all([chainNow(source, time), requestsNow()]);
    return { time, ...(chain === undefined ? {} : { chain }), ...(requests === undefined ? {} : { requests }) };
  };

  return () => {
    if (made === undefined || performance.now() - madeAt > freshFor) {
      madeAt = performance.now();
      made = make();
    }
    return made;
  };
}

async function chainNow(source: ChainSource, now: number): Promise<Status["chain"]> {
  try {
    const { block, transactionCount } = await source.head();
    // A chain may have been made for a time that is still to come.
    const since = Math.max(now, block.time) - blockWindow;
    const first = await source.block(masterchain, { time: since });
    const blocks = first === undefined ? 0 : block.id.seqno - first.id.seqno + 1;
    return {
      seqno: block.id.seqno,
      time: block.time,
      blocksPerSecond: Math.max(0, blocks) / blockWindow,
      transactions: Number(transactionCount),
    };
  } catch {
    return undefined;
  }
}

/** Compares the newest count with the oldest that is not too old. */
function requestsOf(metricsText: () => Promise<string>): () => Promise<Status["requests"]> {
  let samples: Sample[] = [];
  return async () => {
    try {
      const newest: Sample = { counts: countsIn(await metricsText()), at: performance.now() };
      samples = samples.filter(({ at }) => newest.at - at <= requestWindow);
      const [oldest] = samples;
      const counted = oldest === undefined ? undefined : countedSince(oldest.counts, newest.counts);
      samples = oldest !== undefined && counted === undefined ? [newest] : [...samples, newest];
      return oldest === undefined || counted === undefined ? undefined : requestsIn(counted, (newest.at - oldest.at) / 1000);
    } catch {
      return undefined;
    }
  };
}

function requestsIn(counted: RequestCounts, seconds: number): NonNullable<Status["requests"]> {
  const { answered, refused, failed } = counted;
  const [p50, p99] = [secondsWithin(counted, 0.5), secondsWithin(counted, 0.99)];
  return {
    seconds,
    perSecond: answered / seconds,
    refused: refused / Math.max(1, answered),
    failed: failed / Math.max(1, answered),
    ...(p50 === undefined || p99 === undefined ? {} : { p50: p50 * 1000, p99: p99 * 1000 }),
  };
}
