/** What limit, key and head cost a request, and what the faults of Redis add to its time. */
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
  /** Microseconds of CPU time of the service for a request, without what it uses when it has none. */
  readonly cpu: number;
  readonly p50: number;
  readonly p99: number;
}

/** The load: as fast as answers come, or with pauses in milliseconds, at less than half of what the service can answer. */
const full = { callers: 8, pause: 0 } as const;
const calm = { callers: 4, pause: 4 } as const;

/**
 * The services take turns, a round each, in alternating order: what else the machine does affects all of them. Differences are taken within
 * a round, and their median is reported, so one slow round does not decide.
 */
async function inTurn<Name extends string>(
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

/** What a figure of one service is above that of another, as the median of the rounds. */
function difference<Name extends string>(
  rounds: readonly Readonly<Record<Name, Round>>[],
  [one, other]: readonly [Name, Name],
  figure: keyof Round,
): number {
  return median(rounds.map((round) => round[one][figure] - round[other][figure]));
}

/** What Redis adds to a request. */
export interface RedisCost {
  /** Microseconds of CPU time above a service without any limit, key or register. */
  readonly cpu: number;
  /** Microseconds above a service that has limits and keys, but no Redis. */
  readonly cpuAboveLocal: number;
  /** Milliseconds above a service on the same index without Redis. */
  readonly p99: number;
  /** Milliseconds between that service and itself: what this machine cannot tell apart. */
  readonly noise: number;
}

/** Services to compare. All answer with the head, which they have made JSON of before: what differs is limit, key and head. */
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
  const cpu = await inTurn(services, full, rounds);
  const calmly = await inTurn({ ...services, again: services.alone }, calm, rounds);
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

/** What an outage of Redis adds to the time of an answer. */
export async function costOfOutage(
  { alone, shared }: Pick<Services, "alone" | "shared">,
  rounds: Rounds,
): Promise<Pick<RedisCost, "p99" | "noise">> {
  const calmly = await inTurn({ alone, shared, again: alone }, calm, rounds);
  return {
    p99: difference(calmly, ["shared", "alone"], "p99"),
    noise: difference(calmly, ["again", "alone"], "p99"),
  };
}
