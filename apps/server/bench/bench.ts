/** Benchmarks of the service, with their goals. `--only speed` runs one of them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createChain, openProducer } from "@chain-query/local-chain";
import { benchFlood } from "./flood.ts";
import { benchSpeed } from "./speed.ts";
import { benchWaiting } from "./waiting.ts";

const { values } = parseArgs({ options: { only: { type: "string" } } });

const folder = mkdtempSync(join(tmpdir(), "server-bench-"));
process.once("SIGINT", () => process.exit(130));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

/** A fixed time in the past, so that every run has the same chain and the same requests. */
const startTime = 1_790_000_000;
const transactions = 10_000;

/** Produces a chain of real contracts in four shards. */
async function produceChain(): Promise<string> {
  const path = join(folder, "chain");
  await createChain(path, { seed: 1, shards: 4, accounts: 1000, startTime });
  const producer = await openProducer(path);
  for (let count = 0; count < transactions; ) count += (await producer.step()).transactionCount;
  await producer.close();
  return path;
}

const benches: Readonly<Record<string, (chain: string) => Promise<void>>> = {
  speed: benchSpeed,
  flood: benchFlood,
  waiting: benchWaiting,
};

const chosen = values.only?.split(",") ?? Object.keys(benches);
const unknown = chosen.filter((name) => benches[name] === undefined);
if (unknown.length > 0) {
  console.error(`--only: expected names of ${Object.keys(benches).join(", ")}, got ${unknown.join(",")}`);
  process.exit(2);
}
const chain = await produceChain();
for (const name of chosen) await benches[name]?.(chain);
process.exit();
