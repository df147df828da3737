/** Reads the chain tip from different instances one after another, which must never go back. */
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { send } from "../requests.ts";

/** The results of the callers. */
export interface HeadReads {
  readonly count: number;
  /** The first and the last head. */
  readonly first: number;
  readonly last: number;
  /** Reads with a lower tip than a response before their request. */
  readonly lower: readonly string[];
  /** Responses other than 200. */
  readonly failed: readonly string[];
  /** The longest time without a head, in milliseconds. */
  readonly longestGap: number;
}

/** Options of the callers. */
export interface CallerPlan {
  /** Milliseconds of a caller between two requests; default 0. */
  readonly pause?: number;
  /** Number of tries of a request while the stores of the instances do not answer in time; default 1. */
  readonly tries?: number;
}

/** Responses of instances whose stores did not respond in time. */
export const lateResponse: RegExp = /^504 .*the database|^503 .*API keys/;

const callers = 4;

/** Reads the head with several callers, each of which sends one request after another, until `isDone`. */
export async function readHeads(
  url: string,
  headers: Readonly<Record<string, string>>,
  isDone: (count: number) => boolean,
  { pause = 0, tries = 1 }: CallerPlan = {},
): Promise<HeadReads> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const lower: string[] = [];
  const failed: string[] = [];
  let [count, first, last, longestGap, answeredAt] = [0, 0, 0, 0, performance.now()];
  const call = async (): Promise<void> => {
    while (!isDone(count)) {
      count += 1;
      const before = last;
      const ask = () => send(url, { method: "GET", path: "/api/v2/getMasterchainInfo" }, { agent, headers });
      let { status, text } = await ask();
      for (let tried = 1; tried < tries && lateResponse.test(`${status} ${text}`); tried++) {
        await sleep(100);
        ({ status, text } = await ask());
      }
      if (status !== 200) {
        failed.push(`${status} ${text}`);
        await sleep(10);
        continue;
      }
      const { seqno } = (JSON.parse(text) as { result: { last: { seqno: number } } }).result.last;
      if (seqno < before) lower.push(`${seqno} after ${before}`);
      if (first === 0) first = seqno;
      last = Math.max(last, seqno);
      longestGap = Math.max(longestGap, performance.now() - answeredAt);
      answeredAt = performance.now();
      if (pause > 0) await sleep(pause);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  agent.destroy();
  return { count, first, last, lower, failed, longestGap };
}

/** Reads the head during an event, and half a second before and after it. */
export async function readHeadsDuring(
  url: string,
  headers: Readonly<Record<string, string>>,
  event: () => PromiseLike<void>,
  plan: CallerPlan = {},
): Promise<HeadReads> {
  let isOver = false;
  const reads = readHeads(url, headers, () => isOver, plan);
  try {
    await sleep(500);
    await event();
    await sleep(500);
  } finally {
    isOver = true;
  }
  return reads;
}
