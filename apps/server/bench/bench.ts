/**
 * Benchmarks of the service, with their goals. `--only speed,start` runs some of them; `--seed`, `--from` and `--count` select the invalid
 * requests of the fuzz, for example a single request to send again.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createChain, openProducer } from "@chain-query/local-chain";
import { fuzz } from "../fuzz/fuzz.ts";
import { requestsOn } from "../fuzz/requests.ts";
import { startServer } from "../fuzz/server-process.ts";
import { benchFlood } from "./flood.ts";
import { printTable } from "./measure.ts";
import { benchSpeed, benchStart } from "./speed.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
    count: { type: "string", default: "100000" },
  },
});
const range = { seed: Number(values.seed), from: Number(values.from), count: Number(values.count) };

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

/** After this many requests, or a tenth of all, the code is compiled and the caches are full. */
const maxWarmUp = 5000;
const clients = 32;

/** Sends invalid requests, prints the statuses and the memory use, and sets the exit code if a response is wrong. */
async function benchFuzz(chain: string): Promise<void> {
  const { seed, from, count } = range;
  const warmUp = Math.min(maxWarmUp, Math.floor(count / 10));
  const valid = Object.values(await requestsOn(chain, 10)).flat();
  await using service = await startServer({ kind: "service", chain });
  const plan = { url: service.url, valid, seed, clients, onProgress: showProgress };
  const first = await fuzz({ ...plan, from, count: warmUp });
  const before = await service.read("heap");
  const rest = await fuzz({ ...plan, from: from + warmUp, count: count - warmUp });
  const after = await service.read("heap");
  const reports = [first, rest];
  const statuses = new Map<number, number>();
  for (const [status, responses] of reports.flatMap((report) => [...report.statuses])) {
    statuses.set(status, (statuses.get(status) ?? 0) + responses);
  }
  console.log(`fuzz: seed ${seed}, ${first.sent + rest.sent} requests, ${clients} clients\n`);
  printTable([
    ["status", "responses"],
    ...[...statuses].sort(([one], [other]) => one - other).map((row) => row.map(String)),
    ["no response to an incomplete request", String(first.unanswered + rest.unanswered)],
  ]);
  const [old, now] = [before, after].map((bytes) => (bytes / 2 ** 20).toFixed(1));
  console.log(`memory after ${warmUp} requests ${old} MB, after all ${now} MB, ratio ${(after / before).toFixed(2)}`);
  const faults = reports.flatMap((report) => report.faults);
  for (const { index, what, request } of faults) console.log(`request ${index}: ${what}\n  ${request}`);
  console.log(`faults: ${faults.length}   goal 0\n`);
  if (faults.length > 0) process.exitCode = 1;
}

function showProgress(sent: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${sent} requests`);
}

const benches: Readonly<Record<string, (chain: string) => Promise<void>>> = {
  speed: benchSpeed,
  start: benchStart,
  fuzz: benchFuzz,
  flood: benchFlood,
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
