/**
 * The cost of Redis and the effect of its faults: CPU time and latency of limit, key and head beside local ones; Redis killed, stopped and emptied
 * under load; ten thousand keys; one limit of three instances. `--minutes 10` sets how long the limit is counted.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { chainSteps, createChain, openProducer } from "@chain-query/local-chain";
import { migrate, openPostgresWriter } from "@chain-query/postgres-store";
import { startPostgres, startRedis } from "@chain-query/testing/services";
import { Redis } from "ioredis";
import { costOf, costOfOutage } from "./redis/cost.ts";
import { addKeys, at, callDuring, type Seen, type Traffic, tryKeys, windowsOf } from "./redis/traffic.ts";
import { runProgram } from "./scale-out/deployment.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seconds: { type: "string", default: "2" },
    rounds: { type: "string", default: "15" },
    only: { type: "string", default: "cost,faults,keys,limit" },
  },
});
const parts = values.only.split(",");
const minutes = Number(values.minutes);

/** Microseconds, milliseconds. */
const goals = { cpu: 30, redisLatency: 2, deadLatency: 0.5, longest: 200, back: 1_000 } as const;
const unreached = 1_000_000;
const sharedRate = 20;
const blocks = 60;
const [keyCount, revokedCount] = [10_000, 20];

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
const alone = await start([], { CHAIN_QUERY_POSTGRES: database });
const bare = await start(["--keyless-rate", "0", "--no-produce", "--chain", chain], {});
const local = await start(["--no-produce", "--chain", chain, "--keys", keys], {});
const instances = [await start([], place), await start([], place), await start([], place)] as const;
const [shared] = instances;
const urls = instances.map(({ url }) => url);
let failures = 0;

if (parts.includes("cost")) await benchCost();
if (parts.includes("faults")) await benchFaults();
if (parts.includes("keys")) await benchKeys();
if (parts.includes("limit")) await benchOneLimit();
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

async function benchCost(): Promise<void> {
  const services = {
    bare: { server: bare, headers: {} },
    local: { server: local, headers: localKey },
    alone: { server: alone, headers: redisKey },
    shared: { server: shared, headers: redisKey },
  };
  const rounds = { rounds: Number(values.rounds), seconds: Number(values.seconds) };
  console.log(
    `cost of a request: ${rounds.rounds} rounds of ${rounds.seconds} s; CPU at full load, latency at less than half\n`,
  );
  const cost = await costOf(services, rounds);
  check("CPU of limit, key and head in Redis above none of them, µs", cost.cpu, goals.cpu);
  check("the same above limit and key in the process, µs", cost.cpuAboveLocal, goals.cpu);
  check("p99 with Redis above the same service without it, ms", cost.p99, goals.redisLatency);
  console.log(`  that service above itself, ms: ${cost.noise.toFixed(2)}`);
  await redis.kill();
  await sleep(300);
  const outage = await costOfOutage(services, rounds);
  await redis.start();
  await sleep(500);
  check("p99 with Redis dead above the same service without it, ms", outage.p99, goals.deadLatency);
  console.log(`  that service above itself, ms: ${outage.noise.toFixed(2)}`);
}

/** Each fault lasts three seconds. Afterwards the limit is common again. */
async function benchFaults(): Promise<void> {
  const client = new Redis(redis.url, { lazyConnect: true });
  client.on("error", () => {});
  const faults: readonly (readonly [string, () => unknown, () => unknown])[] = [
    ["untouched", () => {}, () => {}],
    ["killed", () => redis.kill(), () => redis.start()],
    ["stopped", () => process.kill(redis.pid, "SIGSTOP"), () => process.kill(redis.pid, "SIGCONT")],
    ["emptied", () => client.flushall(), () => client.quit()],
  ];
  const traffic: Traffic = { urls, headers: sharedKey, callers: 4, pause: 2 };
  const longestDelay = async (): Promise<number> => Math.max(...(await Promise.all(instances.map((one) => one.read("delay")))));
  for (const [name, begin, end] of faults) {
    await longestDelay();
    let back = 0;
    const seen = await callDuring(traffic, async () => {
      await sleep(1_000);
      await begin();
      await sleep(3_000);
      await end();
      back = await untilReady();
      await sleep(1_000);
    });
    report(`Redis ${name}`, seen);
    console.log(`  longest delay of an instance's event loop, ms: ${(await longestDelay()).toFixed(0)}`);
    check(`Redis ${name}: longest response, ms`, at(seen.times, 1), goals.longest);
    check(`Redis ${name}: responses other than 200 and 429`, seen.other.length, 0);
    check(`Redis ${name}: all instances use it again after, ms`, back, goals.back);
    // The open window ends first.
    await sleep(1_100);
    const { wrong } = windowsOf(await callDuring(traffic, () => sleep(2_500)), sharedRate);
    check(`Redis ${name}: faults of the common limit afterwards ${wrong.join("; ")}`, wrong.length, 0);
  }
}

/** Milliseconds until all instances use Redis again. */
async function untilReady(): Promise<number> {
  const since = performance.now();
  const isReady = async (url: string): Promise<boolean> =>
    (await (await fetch(`${url}/metrics`)).text()).includes("\nchain_query_redis_ready 1\n");
  while (!(await Promise.all(urls.map(isReady))).every(Boolean)) await sleep(50);
  return performance.now() - since;
}

async function benchKeys(): Promise<void> {
  const isAccepted = (status: number): boolean => status === 200;
  // After many unknown keys, further ones are refused without a lookup.
  const isRefused = (status: number): boolean => status === 401 || status === 429;
  const keys = await addKeys(database, keyCount);
  const { requests, wrong } = await tryKeys(urls, keys, isAccepted);
  check(`${keyCount} keys on ${urls.length} instances, ${requests} requests: not accepted`, wrong, 0);
  const client = new Redis(redis.url);
  await client.flushall();
  await client.quit();
  check("the same after FLUSHALL: not accepted", (await tryKeys(urls, keys, isAccepted)).wrong, 0);
  let late = 0;
  for (const key of keys.slice(0, revokedCount)) {
    await runProgram("server", ["keys", "revoke", key.id], place);
    late += (await tryKeys(urls, [key], isRefused)).wrong;
  }
  check(`${revokedCount} keys revoked: accepted with the next request`, late, 0);
  check("the other keys: not accepted", (await tryKeys(urls, keys.slice(revokedCount), isAccepted)).wrong, 0);
}

/**
 * Windows take a second, so the limit is counted in stretches of ten seconds, each of which begins with a new window: in each window the
 * rate is admitted, no request more or less.
 */
async function benchOneLimit(): Promise<void> {
  const stretches = Math.round(minutes * 6);
  const faults: string[] = [];
  let [admitted, windows, alone, other] = [0, 0, 0, 0];
  for (let stretch = 0; stretch < stretches; stretch++) {
    const before = await countedAlone();
    const seen = await callDuring({ urls, headers: sharedKey, callers: 2, pause: 2 }, () => sleep(10_000));
    await sleep(1_100);
    const found = windowsOf(seen, sharedRate);
    const isAlone = (await countedAlone()) > before;
    if (isAlone) alone++;
    else faults.push(...found.wrong);
    admitted += seen.left.length;
    windows += found.windows;
    other += seen.other.length;
  }
  console.log(`one limit of three instances, ${stretches} times 10 s: ${windows} windows, ${admitted} admitted`);
  check("times in which an instance counted alone, since a reply took too long", alone, 0);
  check(`faults of the limit in the others${faults.map((one) => `; ${one}`).join("")}`, faults.length + other, 0);
}

/** Requests that the instances have counted alone. */
async function countedAlone(): Promise<number> {
  const counted = async (url: string): Promise<number> =>
    Number(/^chain_query_limiter_local_counts_total (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
  return (await Promise.all(urls.map(counted))).reduce((sum, one) => sum + one, 0);
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
