/** Requests with API keys: the rate limits that their responses report, and many keys on several instances. */
import { hash, randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { openApiKeys } from "@chain-query/postgres-store";

/** The responses to all callers. */
export interface Seen {
  /** Milliseconds of each response, shortest first. */
  readonly times: readonly number[];
  /** The requests left in the window, of each request that was admitted under a limit. */
  readonly left: readonly number[];
  readonly refused: number;
  /** Statuses of other responses, and connection errors. */
  readonly other: readonly string[];
  readonly seconds: number;
}

/** Options of the callers. */
export interface Traffic {
  readonly urls: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Callers of each URL, each of which sends one request after another. */
  readonly callers: number;
  /** Milliseconds between two requests of a caller; default 0. */
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
        const { status, limit } = await sendRequest(url, headers, agent);
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
 * The number of windows of a limit, and their faults. In each window the admitted requests have the numbers from `rate - 1` down to
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
function newAgent(): Agent {
  return new Agent({ keepAlive: true });
}

/** The status of a response, and its `RateLimit` header. */
function sendRequest(
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

/** A key. */
interface AddedKey {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The responses to requests with many keys. */
interface KeyResponses {
  readonly requests: number;
  /** Number of responses with an unexpected status. */
  readonly wrong: number;
}

const together = 32;

/** Adds keys as `keys add` does, without starting a program for each. */
export async function addKeys(url: string, count: number): Promise<readonly AddedKey[]> {
  const table = openApiKeys({ url }, "writer");
  try {
    return await inParallel(
      Array.from({ length: count }, (_, index) => index),
      async (index) => {
        const [id, secret] = [randomBytes(6).toString("hex"), randomBytes(32).toString("base64url")];
        await table.add({ id, secretHash: hash("sha256", secret, "buffer"), owner: `owner ${index}`, rate: 5 });
        return { id, headers: { "x-api-key": `cq_${id}_${secret}` } };
      },
    );
  } finally {
    await table.close();
  }
}

/** Sends a request with each key to each instance. */
export async function tryKeys(
  urls: readonly string[],
  keys: readonly AddedKey[],
  isExpected: (status: number) => boolean,
): Promise<KeyResponses> {
  const agent = newAgent();
  try {
    const statuses = await inParallel(keys, ({ headers }) =>
      Promise.all(urls.map(async (url) => (await sendRequest(url, headers, agent)).status)),
    );
    const all = statuses.flat();
    return { requests: all.length, wrong: all.filter((status) => !isExpected(status)).length };
  } finally {
    agent.destroy();
  }
}

async function inParallel<Value, Result>(values: readonly Value[], run: (value: Value) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < values.length; index = next++) {
      const value = values[index];
      if (value !== undefined) results[index] = await run(value);
    }
  };
  await Promise.all(Array.from({ length: together }, work));
  return results;
}
