/** CPU and wall time of work. CPU times are comparable on a busy machine, wall times are not. */
import { readdirSync, readFileSync } from "node:fs";

/** Microseconds. */
export interface Cost {
  readonly time: number;
  /** CPU of this process. */
  readonly node: number;
  /** CPU of the database's processes. */
  readonly server: number;
}

/** @param server - Main process of PostgreSQL; 0 without a database. Open the connections of the work before. */
export async function costOf(server: number, run: () => Promise<unknown>): Promise<Cost> {
  const [start, node, before] = [performance.now(), process.cpuUsage(), cpuOfChildren(server)];
  await run();
  const { user, system } = process.cpuUsage(node);
  const time = (performance.now() - start) * 1000;
  return { time, node: user + system, server: cpuOfChildren(server) - before };
}

/** The cost divided by a count. */
export function costOfEach({ time, node, server }: Cost, count: number): Cost {
  return { time: time / count, node: node / count, server: server / count };
}

/** The median of each figure. */
export function medianCost(costs: readonly Cost[]): Cost {
  const of = (figure: keyof Cost): number => median(costs.map((cost) => cost[figure]));
  return { time: of("time"), node: of("node"), server: of("server") };
}

/** CPU of both processes. */
export function cpuOf({ node, server }: Cost): number {
  return node + server;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** Microseconds of CPU of the processes that a process has started: `utime` and `stime` of proc(5), in ticks of 10 ms. */
function cpuOfChildren(parent: number): number {
  if (parent === 0) return 0;
  const ticks = readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    const fields = fieldsOf(pid);
    return Number(fields[1]) === parent ? [Number(fields[11]) + Number(fields[12])] : [];
  });
  return ticks.reduce((sum, one) => sum + one, 0) * 10_000;
}

/** The fields behind the name of the program, which may have spaces. */
function fieldsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
  } catch {
    return [];
  }
}
