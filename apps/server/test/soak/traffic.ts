/** Well-behaved callers, which check each response. */
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Request, send } from "../../fuzz/requests.ts";

/** The results of the callers so far. */
interface Seen {
  readonly answered: number;
  /** Requests without a response while a worker was being replaced. */
  readonly cut: number;
  /** The newest masterchain block. */
  readonly head: number;
  readonly faults: readonly string[];
}

/** Callers in progress. */
export interface Traffic {
  seen(): Seen;
  /** Accepts cut connections for a few seconds, since a worker ends. */
  expectCuts(): void;
  fault(what: string): void;
  stop(): Promise<Seen>;
}

const callers = 8;
/** The longest pause of a caller between two requests, in milliseconds. */
const maxPause = 30;
/** Milliseconds for a worker to drain, and for callers to notice its end. */
const cutWindow = 8000;
const info: Request = { method: "GET", path: "/api/v2/getMasterchainInfo" };
const pages: readonly Request[] = ["/", "/status.json", "/metrics", "/readyz"].map((path) => ({ method: "GET", path }));

/** Starts the callers. They expect 200. The seed decides how long they pause. */
export function startTraffic(url: string, requests: readonly Request[], seed: number): Traffic {
  const agent = new Agent({ keepAlive: true, maxSockets: callers });
  const mix = requests.flatMap((request, index) => (index % 5 === 0 ? [request, info] : [request])).concat(pages);
  const faults: string[] = [];
  let [answered, cut, head, cutsUntil, isStopping] = [0, 0, 0, 0, false];

  const call = async (request: Request): Promise<void> => {
    const { method, path } = request;
    const headBefore = head;
    try {
      const { status, text } = await send(url, request, { agent });
      answered++;
      if (status !== 200) faults.push(`${method} ${path}: ${status} ${text.slice(0, 200)}`);
      else if (request === info) {
        const { seqno } = (JSON.parse(text) as { result: { last: { seqno: number } } }).result.last;
        if (seqno < headBefore) faults.push(`the head went back from ${headBefore} to ${seqno}`);
        head = Math.max(head, seqno);
      } else if (path.startsWith("/api/")) JSON.parse(text);
    } catch (error) {
      if (performance.now() < cutsUntil) cut++;
      else faults.push(`${method} ${path}: ${error}`);
    }
  };
  const work = async (first: number): Promise<void> => {
    const random = randomFrom(seed + first);
    for (let index = first; !isStopping; index += callers) {
      await call(mix[index % mix.length] ?? info);
      await sleep(random() * maxPause);
    }
  };
  const done = Promise.all(Array.from({ length: callers }, (_, index) => work(index)));
  const seen = (): Seen => ({ answered, cut, head, faults });
  return {
    seen,
    expectCuts() {
      cutsUntil = performance.now() + cutWindow;
    },
    fault: (what) => faults.push(what),
    async stop() {
      isStopping = true;
      await done;
      agent.destroy();
      return seen();
    },
  };
}

/** Mulberry32: numbers from 0 to below 1. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
