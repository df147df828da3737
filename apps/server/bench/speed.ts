/** The speed of the service: rates beside other servers, and its start. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type Request, requestsOn } from "../fuzz/requests.ts";
import { startServer } from "../fuzz/server-process.ts";
import { generator } from "./load.ts";
import { type Contender, measureInRounds, median, printTable, type Round, ratios } from "./measure.ts";

const speedRounds = { rounds: 5, seconds: 2, connections: 16 } as const;
/** Different requests of each operation. */
const variety = 1000;

interface Entry extends Contender {
  /** The contenders to compare with, and the least ratio of the rates. */
  readonly goals: Readonly<Record<string, number>>;
}

/** Compares the service with a bare node:http server and with Prism: requests per second, and CPU time. */
export async function benchSpeed(chain: string): Promise<void> {
  const requests = await requestsOn(chain, variety);
  const info = requests.getMasterchainInfo;
  await using service = await startServer({ kind: "service", chain });
  const pageBytes = await meanBytes(service.url, requests.getTransactionsStd);
  await using bare = await startServer({ kind: "bare", bytes: await meanBytes(service.url, info) });
  await using barePage = await startServer({ kind: "bare", bytes: pageBytes });
  await using prism = await startServer({ kind: "prism" });
  const page = `bare node:http, ${pageBytes} bytes`;
  const single = ["lookupBlock", "tryLocateResultTx", "tryLocateSourceTx", "getAddressInformation"] as const;
  const entries: Entry[] = [
    { name: "bare node:http", server: bare, requests: info, goals: {} },
    { name: page, server: barePage, requests: info, goals: {} },
    { name: "Prism", server: prism, requests: info, goals: {} },
    { name: "getMasterchainInfo", server: service, requests: info, goals: { "bare node:http": 0.5, Prism: 10 } },
    ...single.map((name) => ({ name, server: service, requests: requests[name], goals: { "bare node:http": 0.25 } })),
    { name: "getTransactionsStd", server: service, requests: requests.getTransactionsStd, goals: { [page]: 0.5 } },
  ];
  printSpeed(entries, await measureInRounds(entries, speedRounds));
}

function printSpeed(entries: readonly Entry[], results: ReadonlyMap<string, readonly Round[]>): void {
  const { rounds: count, seconds, connections } = speedRounds;
  console.log(`${count} rounds of ${seconds} s, ${connections} connections, ${generator}, ${variety} different requests\n`);
  const rows = entries.map(({ name, requests, goals }) => {
    const own = results.get(name) ?? [];
    const comparisons = Object.entries(goals).map(([other, goal]) => {
      const { rate, cpu } = ratios(own, results.get(other) ?? []);
      return `${rate.toFixed(2)} by rate, ${cpu.toFixed(2)} by CPU time, of ${other}; goal ≥ ${goal}`;
    });
    const figures = [median(own.map(({ rate }) => rate)), median(own.map(({ cpu }) => cpu))];
    return [name, String(requests.length), ...figures.map((value) => value.toFixed(0)), `  ${comparisons.join("; ")}`];
  });
  printTable([["", "requests", "per second", "CPU µs each", ""], ...rows]);
}

/** The mean size of a few responses. */
async function meanBytes(url: string, requests: readonly Request[]): Promise<number> {
  const few = requests.slice(0, 50);
  let total = 0;
  for (const { path } of few) total += (await (await fetch(url + path)).arrayBuffer()).byteLength;
  return Math.round(total / few.length);
}

/** The command of the service. */
const program = fileURLToPath(new URL("bin/chain-query-server.js", import.meta.resolve("@chain-query/server/package.json")));

/** The time from the start of the command to its first response, on an existing chain, while blocks are produced. The goal is in seconds. */
export async function benchStart(chain: string): Promise<void> {
  const [rounds, goal] = [7, 1.5];
  const all: number[] = [];
  for (let index = 0; index < rounds; index++) all.push(await secondsToRespond(chain));
  const [middle, least, most] = [median(all), Math.min(...all), Math.max(...all)].map((value) => value.toFixed(2));
  console.log(
    `start to first response, ${rounds} times: median ${middle} s, least ${least} s, most ${most} s   goal ≤ ${goal} s\n`,
  );
}

async function secondsToRespond(chain: string): Promise<number> {
  const start = performance.now();
  const flags = ["--port", "0", "--chain", chain, "--keyless-rate", "0", "--log-level", "error"];
  const command = spawn(process.execPath, [program, ...flags], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(command.stdout, "data");
  const response = await fetch(`${String(line).trim()}/api/v2/getMasterchainInfo`);
  await response.text();
  const seconds = (performance.now() - start) / 1000;
  command.kill();
  await once(command, "close");
  return seconds;
}
