/** Compares the mock with the stock Prism command: install, time to the first response, requests per second and CPU time per request. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { type Install, installOf, load } from "./measure.ts";

const rounds = 9;
const roundMs = 2000;
const connections = 8;
/** Answers until a process has reached its full speed. */
const warmUp = 25_000;

interface Server {
  readonly child: ChildProcess;
  readonly url: string;
  readonly rounds: Round[];
}

interface Round {
  readonly perSecond: number;
  /** Microseconds of CPU time per request; NaN where /proc does not exist. */
  readonly cpu: number;
}

const prismHome = fileURLToPath(new URL("../node_modules/@stoplight/prism-cli", import.meta.url));
const mockHome = fileURLToPath(new URL("..", import.meta.url));
console.log("               packages      MB   seconds to the first response: median    most");
console.log(lineOf("prism mock", installOf(prismHome), await firstResponses(startPrism)));
console.log(lineOf("mock", installOf(mockHome), await firstResponses(startMock)));
console.log("goal                ≤ 5    ≤ 10                                  ≤ 0.5");
console.log(`startMock()    ${(await firstCall()).toFixed(2)} s for the first call of a process, with the import\n`);

const prism = await startPrism();
const mock = await startMock();
try {
  for (const { url } of [prism, mock]) {
    for (let answered = 0; answered < warmUp; ) answered += await load(url, roundMs, connections);
  }
  // In turn, so that other load on the machine affects both.
  for (let index = 0; index < rounds; index++) {
    for (const server of index % 2 === 0 ? [prism, mock] : [mock, prism]) server.rounds.push(await measure(server));
  }
  console.log(`${rounds} rounds of ${roundMs / 1000} s each, ${connections} connections, the eight operations in turn\n`);
  console.log("               requests/s: median   least   µs of CPU per request: median");
  print("prism mock", prism.rounds);
  print("mock", mock.rounds);
  const rates = mock.rounds.map(({ perSecond }, index) => perSecond / (prism.rounds[index]?.perSecond ?? Number.NaN));
  const work = median(prism.rounds.map(({ cpu }) => cpu)) / median(mock.rounds.map(({ cpu }) => cpu));
  console.log(
    `\nmock / prism   ${median(rates).toFixed(2)} by requests per second, ${work.toFixed(2)} by CPU time   goal ≥ 0.9`,
  );
} finally {
  for (const { child } of [prism, mock]) child.kill();
}

function print(name: string, all: readonly Round[]): void {
  const rates = all.map(({ perSecond }) => perSecond);
  const cpu = median(all.map((one) => one.cpu));
  console.log(`${name.padEnd(24)} ${column(median(rates), 8)} ${column(Math.min(...rates), 7)} ${column(cpu, 31)}`);
}

function column(value: number, width: number): string {
  return value.toFixed(0).padStart(width);
}

async function startMock(): Promise<Server> {
  const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
  const child = spawn(process.execPath, [cli, "--port", "0", "--quiet"], { stdio: ["ignore", "pipe", "inherit"] });
  const [url] = await once(child.stdout, "data");
  return { child, url: String(url).trim(), rounds: [] };
}

/** Without its log, which the mock does not write either. */
async function startPrism(): Promise<Server> {
  const cli = fileURLToPath(import.meta.resolve("@stoplight/prism-cli"));
  const contract = fileURLToPath(import.meta.resolve("@chain-query/openapi/openapi.json"));
  const port = await freePort();
  const args = [cli, "mock", contract, "--port", String(port), "--verboseLevel", "silent"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/api/v2/getMasterchainInfo`).catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error(`prism ended with code ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { child, url, rounds: [] };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function measure({ child, url }: Server): Promise<Round> {
  const [before, start] = [cpuTime(child), performance.now()];
  const answered = await load(url, roundMs, connections);
  const seconds = (performance.now() - start) / 1000;
  return { perSecond: answered / seconds, cpu: (cpuTime(child) - before) / answered };
}

/** Microseconds of user and system time. Unlike the wall clock, they do not depend on other load. */
function cpuTime({ pid }: ChildProcess): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  // After the name in brackets: utime and stime are the 12th and 13th field, in ticks of 10 ms.
  const fields = readFileSync(file, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Seconds from the start of a command to its first response, in order. */
async function firstResponses(start: () => Promise<Server>): Promise<number[]> {
  const seconds: number[] = [];
  for (let index = 0; index < 7; index++) {
    const begin = performance.now();
    const { child, url } = await start();
    await (await fetch(`${url}/api/v2/getMasterchainInfo`)).json();
    seconds.push((performance.now() - begin) / 1000);
    child.kill();
    await once(child, "close");
  }
  return seconds.toSorted((one, other) => one - other);
}

async function firstCall(): Promise<number> {
  const start = performance.now();
  const { startMock } = await import("@chain-query/mock");
  const mock = await startMock();
  const seconds = (performance.now() - start) / 1000;
  await mock.close();
  return seconds;
}

function lineOf(name: string, { packages, bytes }: Install, seconds: readonly number[]): string {
  const megabytes = (bytes / 1e6).toFixed(1).padStart(7);
  const [middle, most] = [median(seconds), seconds.at(-1) ?? Number.NaN];
  return `${name.padEnd(15)}${String(packages).padStart(8)} ${megabytes} ${middle.toFixed(2).padStart(38)} ${most.toFixed(2).padStart(7)}`;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
