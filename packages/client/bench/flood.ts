/** Measures the memory that remains after repeated rounds of a thousand concurrent calls through the limiter. */

import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createClient } from "@chain-query/client";
import { withServer } from "./speed.ts";

/** Seconds of a round, and megabytes of heap in use before the first and after the last. */
export interface Flood {
  calls: number;
  rounds: number;
  seconds: number;
  before: number;
  after: number;
}

export async function measureFlood(calls = 1_000, rounds = 10): Promise<Flood> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const megabytes = async (): Promise<number> => {
    // Objects with a finalizer are freed by the next collection.
    for (let turn = 0; turn < 3; turn++) {
      collect();
      await sleep(50);
    }
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  return withServer(["getMasterchainInfo", "lookupBlock"], async (baseUrl) => {
    const rateLimit = { requests: calls, perMs: 100, maxConcurrency: 100 };
    const chain = createClient({ baseUrl, apiKey: "bench", rateLimit });
    const flood = () =>
      Promise.all(
        Array.from({ length: calls }, (_, index) => chain.lookupBlock({ workchain: -1, shard: -1n, seqno: index + 1 })),
      );
    // Warm up: compile the code and open connections.
    for (let round = 0; round < 3; round++) await flood();
    const before = await megabytes();
    const start = performance.now();
    for (let round = 0; round < rounds; round++) await flood();
    const seconds = (performance.now() - start) / 1000 / rounds;
    return { calls, rounds, seconds, before, after: await megabytes() };
  });
}
