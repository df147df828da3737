/** Reads the chain tip from different instances one after another, which must never go back. */

import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@chain-query/testing/until";
import { send } from "../../fuzz/requests.ts";

/** What to read from, and with which headers. */
interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The results of the callers. */
export interface HeadReads {
  /** The first and the last head. */
  readonly first: number;
  readonly last: number;
  /** Reads with a lower tip than a response before their request. */
  readonly lower: readonly string[];
  /** Responses other than 200. */
  readonly failed: readonly string[];
}

/** Responses of instances whose stores did not respond in time. */
export const lateResponse: RegExp = /^504 .*the database|^503 .*API keys/;

const callers = 4;
/** Milliseconds of a caller between two requests, which leave time for other processes. */
const pause = 10;
/** Number of requests before an event, and after it. */
const readsAround = 50;
/** Number of tries of a request while the stores of the instances do not respond in time. */
const tries = 3;

/** Reads the head with several callers, each of which sends one request after another, until `isDone`. */
async function readHeadsUntil({ url, headers }: Target, isDone: (count: number) => boolean): Promise<HeadReads> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const lower: string[] = [];
  const failed: string[] = [];
  let [count, first, last] = [0, 0, 0];
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
      if (status === 200) {
        const { seqno } = (JSON.parse(text) as { result: { last: { seqno: number } } }).result.last;
        if (seqno < before) lower.push(`${seqno} after ${before}`);
        if (first === 0) first = seqno;
        last = Math.max(last, seqno);
      } else failed.push(`${status} ${text}`);
      await sleep(pause);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  agent.destroy();
  return { first, last, lower, failed };
}

/** Reads the head a number of times. */
export function readHeads(target: Target, count: number): Promise<HeadReads> {
  return readHeadsUntil(target, (sent) => sent >= count);
}

/** Reads the head during an event, and some times before and after it. */
export async function readHeadsDuring(target: Target, event: () => PromiseLike<void>): Promise<HeadReads> {
  let [isOver, sent] = [false, 0];
  const reads = readHeadsUntil(target, (count) => {
    sent = count;
    return isOver;
  });
  const more = async (): Promise<void> => {
    const enough = sent + readsAround;
    await Promise.race([reads, until(() => sent >= enough || isOver || undefined)]);
  };
  try {
    await more();
    await event();
    await more();
  } finally {
    isOver = true;
  }
  return reads;
}
