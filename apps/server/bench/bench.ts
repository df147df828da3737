/**
 * Benchmarks of the service, with their goals. `--only speed,scale` runs some of them; `--seed`, `--from` and `--count` select the invalid
 * requests of the fuzz, so that one request can be sent again by itself.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createChain, openProducer } from "@chain-query/local-chain";
import { benchCached } from "./cached.ts";
import { benchFaults } from "./faults.ts";
import { benchFuzz, type FuzzRange } from "./fuzz.ts";
import { benchLatency } from "./latency.ts";
import { benchLite } from "./lite.ts";
import { benchPipelining } from "./pipelining.ts";
import { benchScale } from "./scale.ts";
import { benchSpeed } from "./speed.ts";
import { benchStart } from "./start.ts";
import { benchWorkers } from "./workers.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
    count: { type: "string", default: "100000" },
  },
});
const range: FuzzRange = { seed: Number(values.seed), from: Number(values.from), count: Number(values.count) };

const folder = mkdtempSync(join(tmpdir(), "server-bench-"));
process.once("SIGINT", () => process.exit(130));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

/** A fixed time in the past, so that every run has the same chain and the same requests. */
const startTime = 1_790_000_000;
const transactions = 10_000;
let produced: Promise<string> | undefined;

/** Produces a chain of real contracts in four shards. */
async function produceChain(): Promise<string> {
  const path = join(folder, "chain");
  await createChain(path, { seed: 1, shards: 4, accounts: 1000, startTime });
  const producer = await openProducer(path);
  for (let count = 0; count < transactions; ) count += (await producer.step()).transactionCount;
  await producer.close();
  return path;
}

function onChain(bench: (path: string) => Promise<void>): () => Promise<void> {
  return async () => {
    produced ??= produceChain();
    await bench(await produced);
  };
}

const benches: Readonly<Record<string, () => Promise<void>>> = {
  speed: onChain(benchSpeed),
  latency: onChain(benchLatency),
  workers: onChain(benchWorkers),
  scale: () => benchScale(folder),
  start: onChain(benchStart),
  faults: onChain(benchFaults),
  pipelining: () => benchPipelining(folder),
  lite: onChain(benchLite),
  cached: onChain(benchCached),
  fuzz: onChain((path) => benchFuzz(path, range)),
};

const chosen = values.only?.split(",") ?? Object.keys(benches);
const unknown = chosen.filter((name) => benches[name] === undefined);
if (unknown.length > 0) {
  console.error(`--only: expected names of ${Object.keys(benches).join(", ")}, got ${unknown.join(",")}`);
  process.exit(2);
}
for (const name of chosen) await benches[name]?.();
process.exit();
