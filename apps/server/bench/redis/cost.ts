/** The cost of limit, key and head for a request, and the delay that faults of Redis add. */
import { setTimeout as sleep } from "node:timers/promises";
import { median, printTable } from "../measure.ts";
import type { ServerProcess } from "../server-process.ts";
import { at, callDuring, type Traffic } from "./traffic.ts";

/** A service with the headers of its requests. */
export interface Contender {
  readonly server: ServerProcess;
  readonly headers: Traffic["headers"];
}

/** How long to measure. */
export interface Rounds {
  readonly rounds: number;
  readonly seconds: number;
}

interface Round {
  /** Microseconds of CPU time of the service for a request, without its idle CPU time. */
  readonly cpu: number;
  readonly p50: number;
  readonly p99: number;
}

/** Full load, and less than half of it with pauses in milliseconds. */
const full = { callers: 8, pause: 0 } as const;
const calm = { callers: 4, pause: 4 } as const;

/**
 * Measures the services one after another in each round, in alternating order, so that other load on the machine affects all of them. The
 * result is the median of the differences within a round.
 */
async function inRounds<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  load: { readonly callers: number; readonly pause: number },
  { rounds, seconds }: Rounds,
): Promise<Readonly<Record<Name, Round>>[]> {
  const names = Object.keys(contenders) as Name[];
  const found: Record<Name, Round>[] = [];
  const idle = new Map(await Promise.all(names.map(async (name) => [name, await idleCpu(contenders[name].server)] as const)));
  for (let round = -1; round < rounds; round++) {
    const one = {} as Record<Name, Round>;
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const { server, headers } = contenders[name];
      const before = await server.read("cpu");
      const seen = await callDuring({ urls: [server.url], headers, ...load }, () => sleep(seconds * 1000));
      const spent = (await server.read("cpu")) - before;
      const cpu = (spent - (idle.get(name) ?? 0) * seen.seconds) / seen.times.length;
      if (seen.other.length + seen.refused > 0) throw new Error(`${name}: ${seen.refused} refused, ${seen.other[0]}`);
      one[name] = { cpu, p50: at(seen.times, 0.5), p99: at(seen.times, 0.99) };
    }
    // The first round warms up.
    if (round >= 0) found.push(one);
  }
  return found;
}

/** Microseconds of CPU time in a second without requests. */
async function idleCpu(server: ServerProcess): Promise<number> {
  const before = await server.read("cpu");
  await sleep(1000);
  return (await server.read("cpu")) - before;
}

/** The difference of a figure between two services, as the median of the rounds. */
function difference<Name extends string>(
  rounds: readonly Readonly<Record<Name, Round>>[],
  [one, other]: readonly [Name, Name],
  figure: keyof Round,
): number {
  return median(rounds.map((round) => round[one][figure] - round[other][figure]));
}

/** The cost that Redis adds to a request. */
export interface RedisCost {
  /** Microseconds of CPU time above a service without any limit, key or register. */
  readonly cpu: number;
  /** Microseconds above a service that has limits and keys, but no Redis. */
  readonly cpuAboveLocal: number;
  /** Milliseconds above a service on the same index without Redis. */
  readonly p99: number;
  /** Milliseconds between two measurements of that service: the noise of this machine. */
  readonly noise: number;
}

/** Services to compare. All send a cached response, so that they differ in limit, key and head only. */
export interface Services {
  /** On a chain in a folder, without limits. */
  readonly bare: Contender;
  /** On a chain in a folder, with limits and keys of this machine. */
  readonly local: Contender;
  /** On the index, without Redis: limits of this instance, keys and head in PostgreSQL. */
  readonly alone: Contender;
  /** On the index, with Redis. */
  readonly shared: Contender;
}

export async function costOf(services: Services, rounds: Rounds): Promise<RedisCost> {
  const cpu = await inRounds(services, full, rounds);
  const calmly = await inRounds({ ...services, again: services.alone }, calm, rounds);
  const figure = (all: readonly Readonly<Record<keyof Services, Round>>[], name: keyof Services, of: keyof Round): number =>
    median(all.map((round) => round[name][of]));
  printTable([
    ["", "CPU µs", "above none", "p50 ms", "p99 ms"],
    ...(
      [
        ["bare", "without limits"],
        ["local", "limit and key in the process"],
        ["alone", "limit in the process, key and head in PostgreSQL"],
        ["shared", "limit, key and head in Redis"],
      ] as const
    ).map(([name, text]) => [
      text,
      figure(cpu, name, "cpu").toFixed(0),
      difference(cpu, [name, "bare"], "cpu").toFixed(0),
      figure(calmly, name, "p50").toFixed(2),
      figure(calmly, name, "p99").toFixed(2),
    ]),
  ]);
  return {
    cpu: difference(cpu, ["shared", "bare"], "cpu"),
    cpuAboveLocal: difference(cpu, ["shared", "local"], "cpu"),
    p99: difference(calmly, ["shared", "alone"], "p99"),
    noise: difference(calmly, ["again", "alone"], "p99"),
  };
}

/** The delay that an outage of Redis adds to a response. */
export async function costOfOutage(
  { alone, shared }: Pick<Services, "alone" | "shared">,
  rounds: Rounds,
): Promise<Pick<RedisCost, "p99" | "noise">> {
  const calmly = await inRounds({ alone, shared, again: alone }, calm, rounds);
  return {
    p99: difference(calmly, ["shared", "alone"], "p99"),
    noise: difference(calmly, ["again", "alone"], "p99"),
  };
}
