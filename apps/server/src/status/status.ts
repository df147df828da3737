/** The content of the status page, computed at most once a second. */

import { MASTERCHAIN } from "@chain-query/format/identifiers";
import { ChainReadError, type ChainReader, type Head } from "@chain-query/format/store";
import type { LiteServerStatus } from "@chain-query/lite";
import type { DatabaseStatus } from "@chain-query/postgres-store";
import { deadlineSignal } from "../deadline.ts";
import { page, type ResponseTime, unread } from "../observability/metrics.ts";
import { aheadUntil } from "./readiness.ts";

/** The state of the service, as JSON, which leaves out what is undefined. */
export interface Status {
  /** Unix seconds. */
  readonly time: number;
  /** The name of the network in block ids. */
  readonly network?: string;
  /** Of the service. */
  readonly version?: string;
  /** Undefined if the chain cannot be read, see `problem`. */
  readonly chain?: {
    readonly seqno: number;
    /** Unix seconds of the newest masterchain block. */
    readonly time: number;
    /** Masterchain blocks per second in the last minute. */
    readonly blocksPerSecond: number;
    /** Unix seconds until which no block is made, because the chain is ahead of the clock. */
    readonly waitsUntil?: number | undefined;
    /** Number of transactions from genesis to the head; absent if the source does not count them. */
    readonly transactions?: number | undefined;
  };
  /** Why the chain cannot be read, in words for anyone; undefined if it can. */
  readonly problem?: string;
  /** Recent calls of the contract's operations; undefined until there are two counts to compare. */
  readonly requests?:
    | {
        /** The period. */
        readonly seconds: number;
        readonly perSecond: number;
        /** Share of responses with a status from 400 to 499, from 0 to 1. */
        readonly refused: number;
        /** Share of responses with a status of 500 and above, from 0 to 1. */
        readonly failed: number;
        /** Median in milliseconds, estimated from a histogram; undefined without requests. */
        readonly p50?: number | undefined;
        /** 99th percentile in milliseconds. */
        readonly p99?: number | undefined;
      }
    | undefined;
  /** The lite servers that are read from, without their addresses; absent with a chain in a folder. */
  readonly servers?: readonly ServerState[] | undefined;
  /** Whether all instances share limits; absent without Redis. */
  readonly redis?: "ready" | "unavailable" | undefined;
  /** The databases of an index, without their addresses; absent with other sources. */
  readonly databases?: readonly DatabaseStatus[] | undefined;
}

/** A lite server as the process that answers sees it. A reason may name an address, so that it is in the log only. */
export type ServerState = Omit<LiteServerStatus, "reason">;

interface StatusSources {
  readonly source: ChainReader;
  /** The network and the version of the service. */
  readonly about: Pick<Status, "network" | "version">;
  /** Seconds for a read. */
  readonly deadline: number;
  /** The histogram of the response times. */
  readonly times: () => Promise<readonly ResponseTime[]>;
  /** Seconds between blocks; undefined if the service makes none. */
  readonly blockInterval?: number | undefined;
  readonly servers?: (() => readonly LiteServerStatus[]) | undefined;
  /** The connection to what instances share, if there is one. */
  readonly redis?: { readonly problem: string | undefined } | undefined;
  readonly databases?: (() => readonly DatabaseStatus[]) | undefined;
}

interface Sample {
  /** Of `performance.now()`. */
  readonly at: number;
  readonly counts: RequestCounts;
}

/** Seconds. */
const blockWindow = 60;
/** Milliseconds. */
const maxAge = 950;
const requestWindow = 10_500;

/** Creates the function that reads the status. */
export function createStatus(sources: StatusSources): () => Promise<Status> {
  const { source, about, deadline, times, blockInterval, servers, redis, databases } = sources;
  const readRequests = requestReader(times);
  let made: Promise<Status> | undefined;
  let madeAt = 0;

  const make = async (): Promise<Status> => {
    const time = Math.floor(Date.now() / 1000);
    const [chain, requests] = await Promise.all([
      readChain(source, time, blockInterval, deadlineSignal(deadline * 1000)),
      readRequests(),
    ]);
    return {
      time,
      ...about,
      ...chain,
      requests,
      servers: servers?.().map(({ reason: _, ...state }) => state),
      redis: redis && (redis.problem === undefined ? "ready" : "unavailable"),
      databases: databases?.(),
    };
  };

  return () => {
    if (made === undefined || performance.now() - madeAt > maxAge) {
      madeAt = performance.now();
      made = make();
    }
    return made;
  };
}

async function readChain(
  source: ChainReader,
  now: number,
  blockInterval: number | undefined,
  signal: AbortSignal,
): Promise<Pick<Status, "chain" | "problem">> {
  try {
    const head = await source.head(signal);
    const { block, transactionCount } = head;
    const waitsUntil = blockInterval && aheadUntil(block.time, blockInterval);
    return {
      chain: {
        seqno: block.id.seqno,
        time: block.time,
        blocksPerSecond: (await blocksSince(source, head, now - blockWindow, signal)) / blockWindow,
        waitsUntil,
        transactions: transactionCount === undefined ? undefined : Number(transactionCount),
      },
    };
  } catch (error) {
    // Sources report other errors in the log, with what they say about the machine.
    return { problem: error instanceof ChainReadError ? error.message : "the chain cannot be read" };
  }
}

/** The number of masterchain blocks from a time up to the head; 0 if it cannot be read. */
async function blocksSince(source: ChainReader, head: Head, time: number, signal: AbortSignal): Promise<number> {
  // The times of a chain may lie in the future.
  if (head.block.time > time + blockWindow) return 0;
  try {
    const first = await source.block(MASTERCHAIN, { time }, head, signal);
    return first === undefined ? 0 : Math.max(0, head.block.id.seqno - first.id.seqno + 1);
  } catch {
    return 0;
  }
}

/** Compares the newest counts with the oldest ones in the window. */
function requestReader(times: StatusSources["times"]): () => Promise<Status["requests"]> {
  let samples: Sample[] = [];
  return async () => {
    const newest: Sample = { counts: countsIn(await times()), at: performance.now() };
    samples = [...samples.filter(({ at }) => newest.at - at <= requestWindow), newest];
    const [oldest = newest] = samples;
    return oldest === newest
      ? undefined
      : requestsIn(countedSince(oldest.counts, newest.counts), (newest.at - oldest.at) / 1000);
  };
}

function requestsIn(counted: RequestCounts, seconds: number): NonNullable<Status["requests"]> {
  const { answered, refused, failed } = counted;
  const [p50, p99] = [quantile(counted, 0.5), quantile(counted, 0.99)];
  return {
    seconds,
    perSecond: answered / seconds,
    refused: refused / Math.max(1, answered),
    failed: failed / Math.max(1, answered),
    p50: p50 && p50 * 1000,
    p99: p99 && p99 * 1000,
  };
}

/** Responses to the operations of the contract since the service started. */
export interface RequestCounts {
  readonly answered: number;
  /** Responses with a status from 400 to 499. */
  readonly refused: number;
  /** Responses with a status of 500 and above. */
  readonly failed: number;
  /** Number of responses by their maximum time in seconds, as in a cumulative histogram. */
  readonly within: ReadonlyMap<number, number>;
}

/** Adds up a histogram. Pages are left out, since the status page would count its own requests. */
export function countsIn(times: readonly ResponseTime[]): RequestCounts {
  const within = new Map<number, number>();
  let [answered, refused, failed] = [0, 0, 0];
  for (const { metricName, labels, value } of times) {
    const { operation, status, le } = labels;
    if (operation === page || operation === unread) continue;
    if (metricName?.endsWith("_count")) {
      answered += value;
      if (Number(status) >= 500) failed += value;
      else if (Number(status) >= 400) refused += value;
    } else if (le !== undefined) {
      const bound = le === "+Inf" ? Number.POSITIVE_INFINITY : Number(le);
      within.set(bound, (within.get(bound) ?? 0) + value);
    }
  }
  return { answered, refused, failed, within };
}

function countedSince(before: RequestCounts, after: RequestCounts): RequestCounts {
  return {
    answered: after.answered - before.answered,
    refused: after.refused - before.refused,
    failed: after.failed - before.failed,
    within: new Map([...after.within].map(([bound, count]) => [bound, count - (before.within.get(bound) ?? 0)])),
  };
}

/**
 * A quantile of the response times in seconds, with linear interpolation inside a bucket, like Prometheus' `histogram_quantile`. Undefined
 * without responses.
 *
 * @param share - From 0 to 1, such as 0.99.
 */
export function quantile({ within }: RequestCounts, share: number): number | undefined {
  const buckets = [...within].sort(([one], [other]) => one - other);
  const all = buckets.at(-1)?.[1] ?? 0;
  if (all === 0) return undefined;
  const wanted = share * all;
  let [below, countBelow] = [0, 0];
  for (const [bound, count] of buckets) {
    if (count >= wanted && count > countBelow) {
      // The last bucket has no upper bound.
      return Number.isFinite(bound) ? below + ((bound - below) * (wanted - countBelow)) / (count - countBelow) : below;
    }
    [below, countBelow] = [bound, count];
  }
  return below;
}
