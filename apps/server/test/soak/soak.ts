/**
 * A soak test: mixed load on two workers while blocks are produced and a seeded random sequence of disturbances runs. Prints the curve of
 * load, memory and descriptors. `--minutes 60` sets the duration, `--seed` repeats the disturbances and the pauses of an earlier run.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Report, validateService } from "@chain-query/conformance";
import { createChain, openProducer } from "@chain-query/local-chain";
import { median } from "../../bench/measure.ts";
import { requestsOn } from "../../fuzz/requests.ts";
import { createDisturbances } from "./disturbances.ts";
import { type ServiceCommand, startCommand } from "./service-command.ts";
import { startTraffic, type Traffic } from "./traffic.ts";

/** Options of a run. */
interface SoakPlan {
  readonly seconds: number;
  readonly seed: number;
  /** Goes on after `seconds` until there were so many disturbances, which take longer on a busy machine. */
  readonly disturbances?: number;
  /** Milliseconds from one disturbance to the next, at most. */
  readonly maxPause?: number;
  /** Milliseconds of slow connections. Default: 3000. */
  readonly slowFor?: number;
  /** Makes a chain in a folder and returns its path. Default: one of 60 blocks up to now. */
  readonly makeChain?: (folder: string) => Promise<string>;
  readonly onSample?: (sample: SoakSample) => void;
}

/** One point of the curve. */
interface SoakSample {
  /** Since the start of the load. */
  readonly seconds: number;
  readonly perSecond: number;
  readonly head: number;
  /** Private memory of all processes of the service. */
  readonly bytes: number;
  /** Open descriptors of all processes of the service. */
  readonly descriptors: number;
  /** Disturbances so far. */
  readonly disturbances: number;
}

/** The result. */
interface SoakReport {
  readonly samples: readonly SoakSample[];
  readonly disturbances: Readonly<Record<string, number>>;
  readonly answered: number;
  /** Requests without a response while a worker was being replaced. */
  readonly cut: number;
  /** All faults; empty if the service passed. */
  readonly faults: readonly string[];
}

const sampleCount = 30;
/** Memory and descriptors may grow by this factor, or by the slack below, from the first to the last third. */
const maxGrowth = 1.3;
const slack = { bytes: 150 * 2 ** 20, descriptors: 60 };
const firstBlocks = 60;

/** Runs the soak test. */
export async function soak(plan: SoakPlan): Promise<SoakReport> {
  const { seconds, seed, disturbances: wanted = 0, makeChain = newChain, onSample = () => {} } = plan;
  const { maxPause = 4000, slowFor = 3000 } = plan;
  const folder = mkdtempSync(join(tmpdir(), "server-soak-"));
  try {
    const chain = await makeChain(folder);
    const requests = Object.values(await requestsOn(chain, 50)).flat();
    await using service = await startCommand(chain);
    const before = await validate(service.url, "before");
    const traffic = startTraffic(service.url, requests, seed);
    const disturbances = createDisturbances({ service, traffic, requests, seed, maxPause, slowFor });
    const samples: SoakSample[] = [];
    for await (const sample of observe(service, traffic, disturbances.count, seconds, wanted)) {
      samples.push(sample);
      onSample(sample);
    }
    await disturbances.stop();
    const { answered, cut, faults } = await traffic.stop();
    await service.complete();
    const after = await validate(service.url, "after");
    return {
      samples,
      disturbances: disturbances.counts(),
      answered,
      cut,
      faults: [...before, ...firstFaults(faults), ...growthOf(samples), ...after],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function newChain(folder: string): Promise<string> {
  const chain = join(folder, "chain");
  const startTime = Math.floor(Date.now() / 1000) - firstBlocks;
  await createChain(chain, { seed: 1, blockInterval: 1, accounts: 200, startTime });
  const producer = await openProducer(chain);
  for (let step = 0; step < firstBlocks; step++) await producer.step();
  await producer.close();
  return chain;
}

/** The faults that the conformance checks of a running chain find. */
async function validate(baseUrl: string, when: string): Promise<string[]> {
  return faultsOfReport(await validateService({ baseUrl, profile: "live", seed: 1, fuzz: 0 }), when);
}

/** A broken service fails thousands of times. */
const maxFaults = 20;

/** The first faults, and how many more there are. */
export function firstFaults(faults: readonly string[]): string[] {
  const more = faults.length - maxFaults;
  return more > 0 ? [...faults.slice(0, maxFaults), `and ${more} more`] : [...faults];
}

/** The failed checks of a report. An incomplete report is a fault too. */
export function faultsOfReport({ results, interrupted, interruption }: Report, when: string): string[] {
  const faults = results.filter(({ outcome }) => outcome === "failed").map(({ id }) => `${id} failed`);
  if (interrupted) faults.push(`interrupted after ${results.length} checks: ${interruption ?? "stopped by its caller"}`);
  return faults.map((fault) => `the checks ${when} the load: ${fault}`);
}

async function* observe(
  service: ServiceCommand,
  traffic: Traffic,
  countDisturbances: () => number,
  seconds: number,
  wanted: number,
): AsyncGenerator<SoakSample> {
  const started = performance.now();
  let [lastAt, lastAnswered] = [started, 0];
  while (performance.now() - started < seconds * 1000 || countDisturbances() < wanted) {
    await sleep((seconds * 1000) / sampleCount);
    const now = performance.now();
    const { answered, head } = traffic.seen();
    yield {
      seconds: (now - started) / 1000,
      perSecond: ((answered - lastAnswered) * 1000) / (now - lastAt),
      head,
      ...service.usage(),
      disturbances: countDisturbances(),
    };
    [lastAt, lastAnswered] = [now, answered];
  }
}

/** Compares the medians of the first and the last third. */
function growthOf(samples: readonly SoakSample[]): string[] {
  const third = Math.floor(samples.length / 3);
  return (["bytes", "descriptors"] as const).flatMap((figure) => {
    const values = samples.map((sample) => sample[figure]);
    const [first, last] = [median(values.slice(0, third)), median(values.slice(-third))];
    return last <= Math.max(first * maxGrowth, first + slack[figure]) ? [] : [`${figure} grew from ${first} to ${last}`];
  });
}

const columns = ["second", "requests/s", "head", "MB", "descriptors", "disturbances"];

function printSample(sample: SoakSample): void {
  const { seconds, perSecond, head, bytes, descriptors, disturbances } = sample;
  const values = [seconds, perSecond, head, bytes / 2 ** 20, descriptors, disturbances];
  console.log(values.map((value, index) => value.toFixed(0).padStart(columns[index]?.length ?? 0)).join("  "));
}

function print({ disturbances, answered, cut, faults }: SoakReport): void {
  console.log(
    Object.entries(disturbances)
      .map(([name, count]) => `${name} ${count}`)
      .join(", "),
  );
  console.log(`${answered} responses, ${cut} requests cut while a worker was replaced`);
  console.log(`faults: ${faults.length}   goal 0`);
  for (const fault of faults) console.log(`  ${fault}`);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { minutes: { type: "string", default: "60" }, seed: { type: "string" } } });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) {
    console.error(`--minutes: expected a number above 0, got ${JSON.stringify(values.minutes)}`);
    process.exit(2);
  }
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`soak: ${minutes} minutes, --seed ${seed}\n`);
  console.log(columns.join("  "));
  const report = await soak({ seconds: minutes * 60, seed, onSample: printSample });
  console.log();
  print(report);
  process.exit(report.faults.length > 0 ? 1 : 0);
}
