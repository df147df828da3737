/** The service on lite servers, with proofs, beside the service on the folder itself. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { delay, startFaultyLiteServer } from "@chain-query/lite-server/testing";
import { liteChain, openChain } from "@chain-query/local-chain";
import { startLiteServers, writeConfig } from "./lite-servers.ts";
import { load, type Outcome } from "./load.ts";
import { type Contender, measureInRounds, median, printTable, ratios } from "./measure.ts";
import { accountRequestsOn, type Request, requestsOn } from "./requests.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

const connections = 16;
const rounds = 5;
const seconds = 3;
/** Requests per second of the latency rounds. */
const rate = 200;
/** Different requests of a round without a rate. */
const mostInRound = 4000;
/** Requests per second and core. */
const uncachedGoal = 600;
/** Milliseconds above the direct source. */
const goals = { p50: 2, p99: 8 };

/** Prints latency and cost of uncached accounts, and the rates of operations that are tracked or cached. */
export async function benchLite(chain: string): Promise<void> {
  await using network = await startLiteServers(chain, 3);
  await using direct = await startServer({ kind: "service", chain });
  const flags = ["--lite-servers", network.config, "--lite-rate", "100000"];
  await using wire = await startServer({ kind: "wire", flags });
  const accounts = await accountRequestsOn(chain);
  await benchLatency(direct, wire, accounts);
  await benchCost(wire, accounts);
  await benchCached(direct, wire, chain);
  await benchSlowServer(chain, accounts);
}

/** Parts without common requests, so that no account is cached. */
function slices(requests: readonly Request[], count: number): (readonly Request[])[] {
  const length = Math.floor(requests.length / count);
  return Array.from({ length: count }, (_, index) => requests.slice(index * length, (index + 1) * length));
}

/** At a steady rate, alternating with the direct source. */
async function benchLatency(direct: ServerProcess, wire: ServerProcess, accounts: readonly Request[]): Promise<void> {
  const parts = slices(accounts.slice(0, rounds * rate * (seconds + 1)), rounds);
  const outcomes: { direct: Outcome; wire: Outcome }[] = [];
  for (const requests of parts) {
    const common = { requests, connections, seconds, rate };
    outcomes.push({ direct: await load({ ...common, url: direct.url }), wire: await load({ ...common, url: wire.url }) });
  }
  const times = (["p50", "p99"] as const).map((share) => {
    const [one, other] = (["direct", "wire"] as const).map((name) => median(outcomes.map((each) => each[name][share])));
    const [least = Number.NaN, most = Number.NaN] = [one, other];
    const goal = `goal ≤ direct + ${goals[share]}`;
    return [share, least.toFixed(2), most.toFixed(2), (most - least).toFixed(2), `  ${goal}`];
  });
  console.log(`lite: getAddressInformation, proofs, no account twice, ${rate} per second, ${rounds} rounds of ${seconds} s\n`);
  printTable([["ms", "direct", "wire", "difference", ""], ...times]);
}

/** As fast as possible. The CPU time of a request does not depend on other load of the machine. */
async function benchCost(wire: ServerProcess, accounts: readonly Request[]): Promise<void> {
  const rows: { rate: number; perCore: number }[] = [];
  // The generator prepares each connection's requests; while it prepares more, the service closes the idle connections.
  const parts = slices(accounts.slice(rounds * rate * (seconds + 1)), rounds).map((part) => part.slice(0, mostInRound));
  for (const requests of parts) {
    const before = await wire.read("cpu");
    const { perSecond } = await load({ url: wire.url, requests, connections, seconds });
    const cpu = (await wire.read("cpu")) - before;
    rows.push({ rate: perSecond, perCore: (perSecond * seconds * 1e6) / cpu });
  }
  const [perSecond, perCore] = [median(rows.map((row) => row.rate)), median(rows.map((row) => row.perCore))];
  console.log(`uncached accounts with proofs, ${connections} connections: ${perSecond.toFixed(0)} per second beside`);
  console.log(`lite servers and load generator, ${perCore.toFixed(0)} per second of CPU time; goal ≥ ${uncachedGoal}\n`);
}

/** Data that the pool tracks or caches needs no query to a lite server. */
async function benchCached(direct: ServerProcess, wire: ServerProcess, chain: string): Promise<void> {
  const requests = await requestsOn(chain, 100);
  const names = ["getMasterchainInfo", "lookupBlock", "getTransactionsStd", "tryLocateSourceTx", "tryLocateResultTx"] as const;
  const rows: string[][] = [];
  for (const name of names) {
    const contenders: Contender[] = [
      { name: "direct", server: direct, requests: requests[name] },
      { name: "wire", server: wire, requests: requests[name] },
    ];
    const results = await measureInRounds(contenders, { rounds, seconds: 2, connections });
    const [one = [], other = []] = [results.get("direct"), results.get("wire")];
    const ratio = ratios(other, one);
    const rates = [one, other].map((each) => median(each.map((round) => round.rate)).toFixed(0));
    rows.push([name, ...rates, ratio.rate.toFixed(2), ratio.cpu.toFixed(2), "  goal ≥ 0.9"]);
  }
  printTable([["tracked or cached, per second", "direct", "wire", "ratio", "by CPU time", ""], ...rows]);
}

/** Three servers that answer after 2 ms; then one of them after 20 ms. */
async function benchSlowServer(chain: string, accounts: readonly Request[]): Promise<void> {
  const [alike, uneven] = [
    [2, 2, 2],
    [2, 2, 20],
  ];
  const [requests = [], others = []] = slices(accounts.slice(0, 4 * mostInRound), 2);
  const without = await p95With(chain, alike ?? [], requests);
  const beside = await p95With(chain, uneven ?? [], others);
  console.log(`one of three lite servers ten times slower: p95 ${beside.toFixed(2)} ms, ${without.toFixed(2)} ms without it,`);
  console.log(`ratio ${(beside / without).toFixed(2)}; goal ≤ 1.5\n`);
}

async function p95With(chain: string, delays: readonly number[], requests: readonly Request[]): Promise<number> {
  const reader = openChain(chain);
  const folder = mkdtempSync(join(tmpdir(), "lite-servers-"));
  const start = (milliseconds: number) =>
    startFaultyLiteServer({ chain: liteChain(reader), key: randomBytes(32), behaviours: [delay(milliseconds)] });
  const servers = await Promise.all(delays.map(start));
  const config = writeConfig(
    folder,
    servers.map((server) => server.config()),
  );
  try {
    await using wire = await startServer({ kind: "wire", flags: ["--lite-servers", config, "--lite-rate", "100000"] });
    const { p95 = Number.NaN } = await load({ url: wire.url, requests, connections, seconds: 8, rate });
    return p95;
  } finally {
    await Promise.all(servers.map((server) => server.close()));
    await reader.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
