/** Measures servers one after another, and prints tables. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { Request } from "../fuzz/requests.ts";
import type { ServerProcess } from "../fuzz/server-process.ts";
import { load } from "./load.ts";

/** A server with the requests it gets. */
export interface Contender {
  readonly name: string;
  readonly server: ServerProcess;
  readonly requests: readonly Request[];
}

/** One round of a contender. */
export interface Round {
  /** Requests per second. */
  readonly rate: number;
  /** Microseconds of CPU time per request. */
  readonly cpu: number;
}

/** The duration of a measurement. */
interface Rounds {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
}

/** Measures contenders in alternating order, after a round of warm-up, so that other load on the machine affects all of them. */
export async function measureInRounds(contenders: readonly Contender[], rounds: Rounds): Promise<ReadonlyMap<string, Round[]>> {
  using _awake = keepAwake();
  const results = new Map(contenders.map(({ name }) => [name, [] as Round[]]));
  for (const contender of contenders) await measure(contender, rounds);
  for (let index = 0; index < rounds.rounds; index++) {
    for (const contender of index % 2 === 0 ? contenders : contenders.toReversed()) {
      results.get(contender.name)?.push(await measure(contender, rounds));
    }
  }
  return results;
}

/**
 * Keeps all cores busy with programs that run only while no other one does. Each response wakes a load generator that sleeps, and to wake a
 * core that is halted takes the server as long as a request. Without `chrt`, nothing is started.
 */
function keepAwake(): Disposable {
  const start = () => spawn("chrt", ["--idle", "0", process.execPath, "--eval", "for (;;);"], { stdio: "ignore" });
  const programs = Array.from({ length: availableParallelism() }, start);
  for (const program of programs) program.on("error", () => {});
  const end = (): void => programs.forEach((program) => void program.kill("SIGKILL"));
  process.once("exit", end);
  return { [Symbol.dispose]: end };
}

async function measure({ server, requests }: Contender, { seconds, connections }: Rounds): Promise<Round> {
  const before = await server.read("cpu");
  const { perSecond } = await load({ url: server.url, requests, seconds, connections });
  return { rate: perSecond, cpu: ((await server.read("cpu")) - before) / (perSecond * seconds) };
}

/** The median of the ratios of two contenders' rounds: by requests per second, and by CPU time per request. */
export function ratios(one: readonly Round[], other: readonly Round[]): { readonly rate: number; readonly cpu: number } {
  return {
    rate: median(one.map(({ rate }, index) => rate / (other[index]?.rate ?? Number.NaN))),
    cpu: median(other.map(({ cpu }) => cpu)) / median(one.map(({ cpu }) => cpu)),
  };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that a share of the others is below. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Programs that run or wait to run, as the mean of a minute. */
export function loadOf(): string {
  return readFileSync("/proc/loadavg", "utf8").split(" ")[0] ?? "";
}

/** Prints rows with the first column left-aligned and the others right-aligned. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const cells = row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)));
    console.log(cells.join("  ").trimEnd());
  }
  console.log();
}
