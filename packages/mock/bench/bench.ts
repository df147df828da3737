/** Requests per second of the whole mock and of Prism alone, in turn in one run, and how long the command takes to start. */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { load } from "./load.ts";

const rounds = 9;
const roundMs = 2000;
const connections = 8;
const warmUp = 25_000;

interface Server {
  child: ChildProcess;
  url: string;
}

interface Round {
  perSecond: number;
  /** Microseconds of computing for each request. */
  cpu: number;
}

const prism = await started("prism");
const mock = await started("mock");
try {
  const results: Record<"prism" | "mock", Round[]> = { prism: [], mock: [] };
  // Until so many answers a process still gets faster, by count and not by time.
  for (const { url } of [prism, mock]) {
    for (let answered = 0; answered < warmUp; ) answered += await load(url, roundMs, connections);
  }
  // In turn, so that whatever else the machine does befalls both.
  for (let index = 0; index < rounds; index++) {
    const order = index % 2 === 0 ? (["prism", "mock"] as const) : (["mock", "prism"] as const);
    for (const name of order) results[name].push(await round(name === "prism" ? prism : mock));
  }
  console.log(`${rounds} rounds of ${roundMs / 1000} s each, ${connections} connections, the eight operations in turn\n`);
  console.log("               requests/s: median   least   µs of computing each: median");
  print("prism alone", results.prism);
  print("whole mock", results.mock);
  const rates = results.mock.map(({ perSecond }, index) => perSecond / (results.prism[index]?.perSecond ?? Number.NaN));
  const work = median(results.prism.map(({ cpu }) => cpu)) / median(results.mock.map(({ cpu }) => cpu));
  console.log(
    `\nmock / prism   ${median(rates).toFixed(2)} by requests per second, ${work.toFixed(2)} by computing   goal ≥ 0.9`,
  );
} finally {
  prism.child.disconnect();
  mock.child.disconnect();
}

const starts: number[] = [];
for (let index = 0; index < 5; index++) starts.push(await startUp());
console.log(`start-up       ${median(starts).toFixed(2)} s median, ${Math.max(...starts).toFixed(2)} s most   goal ≤ 1.5 s`);

function print(name: string, all: Round[]): void {
  const perSecond = all.map((one) => one.perSecond);
  const [middle, least] = [median(perSecond), Math.min(...perSecond)].map((value) => value.toFixed(0));
  console.log(
    `${name.padEnd(24)} ${middle?.padStart(8)} ${least?.padStart(7)} ${median(all.map(({ cpu }) => cpu))
      .toFixed(0)
      .padStart(31)}`,
  );
}

async function started(which: "mock" | "prism"): Promise<Server> {
  const child = fork(fileURLToPath(new URL("server.ts", import.meta.url)), [which]);
  const [url] = await once(child, "message");
  return { child, url: String(url) };
}

async function round({ child, url }: Server): Promise<Round> {
  const [before, start] = [await cpu(child), performance.now()];
  const answered = await load(url, roundMs, connections);
  const seconds = (performance.now() - start) / 1000;
  return { perSecond: answered / seconds, cpu: ((await cpu(child)) - before) / answered };
}

async function cpu(child: ChildProcess): Promise<number> {
  child.send("cpu");
  const [used]: NodeJS.CpuUsage[] = await once(child, "message");
  return (used?.user ?? 0) + (used?.system ?? 0);
}

/** Seconds from starting the command to its URL. */
async function startUp(): Promise<number> {
  const start = performance.now();
  const command = spawn(
    process.execPath,
    [fileURLToPath(new URL("../dist/cli.js", import.meta.url)), "--port", "0", "--quiet"],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  await once(command.stdout, "data");
  const seconds = (performance.now() - start) / 1000;
  command.kill();
  await once(command, "close");
  return seconds;
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
