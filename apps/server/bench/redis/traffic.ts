/** Requests with headers, whose answers are read for what limits say about them. */
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** What callers have seen. */
export interface Seen {
  /** Milliseconds of each answer, shortest first. */
  readonly times: readonly number[];
  /** The requests left in the window, of each request that was admitted under a limit. */
  readonly left: readonly number[];
  readonly refused: number;
  /** What was neither admitted nor refused. */
  readonly other: readonly string[];
  readonly seconds: number;
}

/** How to call. */
export interface Traffic {
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Callers of each URL, each of which sends one request after another. */
  readonly callers: number;
  /** Milliseconds between two requests of a caller; by default none. */
  readonly pause?: number;
}

/** Calls until the task is done. */
export async function callDuring({ urls, headers, callers, pause = 0 }: Traffic, task: () => Promise<unknown>): Promise<Seen> {
  const agent = newAgent();
  const [times, left, other] = [[] as number[], [] as number[], [] as string[]];
  let refused = 0;
  let isOver = false;
  const started = performance.now();
  const call = async (url: string): Promise<void> => {
    while (!isOver) {
      const sent = performance.now();
      try {
        const { status, limit } = await answerOf(url, headers, agent);
        times.push(performance.now() - sent);
        if (status === 429) refused++;
        else if (status !== 200) other.push(String(status));
        else if (limit !== undefined) left.push(Number(/r=(\d+)/.exec(limit)?.[1]));
      } catch (error) {
        other.push(error instanceof Error ? error.message : String(error));
      }
      if (pause > 0) await sleep(pause);
    }
  };
  const calling = Promise.all(urls.flatMap((url) => Array.from({ length: callers }, () => call(url))));
  try {
    await task();
  } finally {
    isOver = true;
    await calling;
    agent.destroy();
  }
  return { times: times.sort((a, b) => a - b), left, refused, other, seconds: (performance.now() - started) / 1000 };
}

/** A quantile of sorted times. */
export function at(times: readonly number[], share: number): number {
  return times[Math.ceil(times.length * share) - 1] ?? Number.NaN;
}

/** Windows of a second, which begin with a request. */
const leastWindows = 0.9;

/**
 * The number of windows of a limit, and what is wrong about them. In each one the admitted requests have the numbers from `rate - 1` down to
 * 0, each once; the end of the measurement may cut the last one.
 */
export function windowsOf(
  { left, seconds }: Seen,
  rate: number,
): { readonly windows: number; readonly wrong: readonly string[] } {
  const counts = Array.from({ length: rate }, (_, index) => left.filter((one) => one === rate - 1 - index).length);
  const windows = counts[0] ?? 0;
  const wrong: string[] = [];
  if (counts.reduce((sum, count) => sum + count, 0) !== left.length) wrong.push("numbers outside of the window");
  if (counts.some((count) => count !== windows && count !== windows - 1)) wrong.push(`admitted by number: ${counts.join(" ")}`);
  if (windows === 0 || windows < leastWindows * seconds) wrong.push(`only ${windows} windows in ${seconds.toFixed(1)} s`);
  if (windows > Math.floor(seconds) + 1) wrong.push(`${windows} windows in ${seconds.toFixed(1)} s`);
  return { windows, wrong };
}

/** Connections that stay open. */
export function newAgent(): Agent {
  return new Agent({ keepAlive: true });
}

/** The status of an answer, and its `RateLimit` header. */
export function answerOf(
  url: string,
  headers: Traffic["headers"],
  agent: Agent,
): Promise<{ status: number; limit: string | undefined }> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/api/v2/getMasterchainInfo`, { agent, headers }, (response) => {
      const { statusCode = 0, headers: received } = response;
      const limit = received["ratelimit"];
      response.resume();
      response.once("end", () => resolve({ status: statusCode, limit: typeof limit === "string" ? limit : undefined }));
      response.once("error", reject);
    });
    call.once("error", reject).end();
  });
}
