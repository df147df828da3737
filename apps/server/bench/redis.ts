/**
 * What Redis costs and what its faults do: CPU time and latency of limit, key and head beside local ones; one limit of three instances; Redis
 * killed, stopped and emptied under load. `--minutes 10` sets how long the limit is counted.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { chainSteps, createChain, openProducer } from "@chain-query/local-chain";
import { migrate, openPostgresWriter } from "@chain-query/postgres-store";
import { startPostgres, startRedis } from "@chain-query/test-services";
import { Redis } from "ioredis";
import { median, printTable } from "./measure.ts";
import { at, callDuring, type Seen, type Traffic, windowsOf } from "./redis/traffic.ts";
import { runProgram } from "./scale-out/program.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

const { values } = parseArgs({ options: { minutes: { type: "string", default: "10" } } });
const minutes = Number(values.minutes);

/** Microseconds, milliseconds. */
const goals = { cpu: 30, redisLatency: 2, deadLatency: 0.5, longest: 200 } as const;
const [rounds, roundSeconds] = [5, 3];
const unreached = 1_000_000;
const sharedRate = 20;
const blocks = 60;

const folder = mkdtempSync(join(tmpdir(), "server-redis-"));
process.once("SIGINT", () => process.exit(130));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

await using services = new AsyncDisposableStack();
const started = await startRedis();
if ("reason" in started) throw new Error(started.reason);
const redis = services.use(started);
const postgres = services.use(await startPostgres());
const database = await postgres.createDatabase();
const chain = join(folder, "chain");
await makeIndex();

const place = { CHAIN_QUERY_POSTGRES: database, CHAIN_QUERY_REDIS: redis.url };
const keys = join(folder, "keys");
const addKey = async (rate: number, environment: Record<string, string>): Promise<Traffic["headers"]> => ({
  "x-api-key": await runProgram("server", ["keys", "add", "bench", "--rate", String(rate)], environment),
});
const localKey = await addKey(unreached, { CHAIN_QUERY_KEYS: keys });
const redisKey = await addKey(unreached, place);
const sharedKey = await addKey(sharedRate, place);
const start = async (flags: readonly string[], environment: Record<string, string>): Promise<ServerProcess> =>
  services.use(await startServer({ kind: "limited", flags, environment }));
const bare = await start(["--keyless-rate", "0", "--no-produce", "--chain", chain], {});
const local = await start(["--no-produce", "--chain", chain, "--keys", keys], {});
const instances = [await start([], place), await start([], place), await start([], place)] as const;
const [shared] = instances;
const urls = instances.map(({ url }) => url);
let failures = 0;

await benchCost();
await benchFaults();
await benchOneLimit();
await services.disposeAsync();
process.exit(failures === 0 ? 0 : 1);

/** An index of the chain, which does not grow. */
async function makeIndex(): Promise<void> {
  await createChain(chain, { seed: 1, accounts: 100, startTime: Math.floor(Date.now() / 1000) - blocks * 5 });
  const producer = await openProducer(chain);
  for (let step = 0; step < blocks; step++) await producer.step();
  await producer.close();
  await migrate({ url: database });
  const writer = await openPostgresWriter({ url: database });
  const source = chainSteps(chain);
  await writer.begin(await source.genesis());
  const range = { from: 1, to: await source.newest() };
  for await (const step of source.steps(range, new AbortController().signal)) await writer.write([step]);
  await Promise.all([source.close(), writer.close()]);
}

/** The head's answer is made once, so the differences are limit, key and head. */
async function benchCost(): Promise<void> {
  const contenders: readonly (readonly [string, ServerProcess, Traffic["headers"]])[] = [
    ["without limits", bare, {}],
    ["limit and key in the process", local, localKey],
    ["limit, key and head in Redis", shared, redisKey],
  ];
  const cpu = await inTurn(contenders, 8);
  const [base = 0] = cpu.map(({ microseconds }) => microseconds);
  console.log(
    `cost of a request: median of ${rounds} rounds of ${roundSeconds} s, 8 callers; latency: 4 callers with pauses\n`,
  );
  const slow = await inTurn(contenders, 4, 4);
  await redis.kill();
  await sleep(300);
  const [localThen, dead] = await inTurn([...contenders.slice(1, 2), ["Redis is dead", shared, redisKey]], 4, 4);
  await redis.start();
  await sleep(500);
  printTable([
    ["", "CPU µs", "more than without", "p50 ms", "p99 ms"],
    ...cpu.map(({ name, microseconds }, index) => {
      const times = [slow[index]?.p50, slow[index]?.p99].map((one) => (one ?? Number.NaN).toFixed(2));
      return [name, microseconds.toFixed(0), (microseconds - base).toFixed(0), ...times];
    }),
    ["Redis is dead", "", "", (dead?.p50 ?? Number.NaN).toFixed(2), (dead?.p99 ?? Number.NaN).toFixed(2)],
  ]);
  const [, own, common] = slow.map(({ p99 }) => p99);
  check("CPU of limit, key and head in Redis, µs", (cpu[2]?.microseconds ?? Number.NaN) - base, goals.cpu);
  check("p99 with Redis above local, ms", (common ?? Number.NaN) - (own ?? Number.NaN), goals.redisLatency);
  check("p99 with Redis dead above local, ms", (dead?.p99 ?? Number.NaN) - (localThen?.p99 ?? Number.NaN), goals.deadLatency);
}

interface Cost {
  readonly name: string;
  readonly microseconds: number;
  readonly p50: number;
  readonly p99: number;
}

async function inTurn(
  contenders: readonly (readonly [string, ServerProcess, Traffic["headers"]])[],
  callers: number,
  pause = 0,
): Promise<Cost[]> {
  const found = contenders.map(([name]) => ({ name, cpu: [] as number[], p50: [] as number[], p99: [] as number[] }));
  for (let round = -1; round < rounds; round++) {
    for (const [index, [name, server, headers]] of contenders.entries()) {
      const before = await server.read("cpu");
      const seen = await callDuring({ urls: [server.url], headers, callers, pause }, () => sleep(roundSeconds * 1000));
      if (seen.other.length + seen.refused > 0) throw new Error(`${name}: ${seen.refused} refused, ${seen.other[0]}`);
      // The first round warms up.
      if (round === -1) continue;
      found[index]?.cpu.push(((await server.read("cpu")) - before) / seen.times.length);
      found[index]?.p50.push(at(seen.times, 0.5));
      found[index]?.p99.push(at(seen.times, 0.99));
    }
  }
  return found.map(({ name, cpu, p50, p99 }) => ({ name, microseconds: median(cpu), p50: median(p50), p99: median(p99) }));
}

/** Each fault lasts three seconds. Afterwards the limit is common again. */
async function benchFaults(): Promise<void> {
  const client = new Redis(redis.url, { lazyConnect: true });
  client.on("error", () => {});
  const faults: readonly (readonly [string, () => unknown, () => unknown])[] = [
    ["killed", () => redis.kill(), () => redis.start()],
    ["stopped", () => process.kill(redis.pid, "SIGSTOP"), () => process.kill(redis.pid, "SIGCONT")],
    ["emptied", () => client.flushall(), () => client.quit()],
  ];
  const traffic: Traffic = { urls, headers: sharedKey, callers: 4, pause: 2 };
  for (const [name, begin, end] of faults) {
    const seen = await callDuring(traffic, async () => {
      await sleep(1_000);
      await begin();
      await sleep(3_000);
      await end();
      await sleep(1_000);
    });
    const after = await callDuring(traffic, () => sleep(2_500));
    report(`Redis ${name}`, seen);
    check(`Redis ${name}: longest answer, ms`, at(seen.times, 1), goals.longest);
    check(`Redis ${name}: answers that are neither 200 nor 429`, seen.other.length, 0);
    check(`Redis ${name}: faults of the common limit a second later`, windowsOf(after, sharedRate).wrong.length, 0);
  }
}

async function benchOneLimit(): Promise<void> {
  const seen = await callDuring({ urls, headers: sharedKey, callers: 2, pause: 2 }, () => sleep(minutes * 60_000));
  const { windows, wrong } = windowsOf(seen, sharedRate);
  report(`one limit of three instances, ${minutes} minutes, ${windows} windows`, seen);
  check(`faults of the limit${wrong.length === 0 ? "" : ` (${wrong.join("; ")})`}`, wrong.length + seen.other.length, 0);
}

function report(what: string, { left, refused, times, other }: Seen): void {
  const figures = `p50 ${at(times, 0.5).toFixed(1)}, p99 ${at(times, 0.99).toFixed(1)}, longest ${at(times, 1).toFixed(0)} ms`;
  console.log(`${what}: ${left.length} admitted, ${refused} refused, ${other.length} other; ${figures}`);
}

function check(what: string, value: number, goal: number): void {
  const isMet = value <= goal;
  if (!isMet) failures++;
  console.log(`  ${isMet ? "met" : "MISSED"}: ${what}: ${Number(value.toFixed(2))}, goal ≤ ${goal}`);
}
