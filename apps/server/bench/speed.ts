/** The speed of the service: rates beside other servers. */
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
  const post = "bare node:http, POST";
  const of = { GET: "bare node:http", POST: post };
  const goals = { lookupBlock: 0.25, tryLocateResultTx: 0.3, tryLocateSourceTx: 0.25, getAddressInformation: 0.25 } as const;
  const single = Object.keys(goals) as (keyof typeof goals)[];
  const entries: Entry[] = [
    { name: "bare node:http", server: bare, requests: info, goals: {} },
    { name: post, server: bare, requests: requests.lookupBlock, goals: {} },
    { name: page, server: barePage, requests: info, goals: {} },
    { name: "Prism", server: prism, requests: info, goals: {} },
    { name: "getMasterchainInfo", server: service, requests: info, goals: { "bare node:http": 0.5, Prism: 10 } },
    ...single.map((name) => ({
      name,
      server: service,
      requests: requests[name],
      goals: { [of[requests[name][0]?.method ?? "GET"]]: goals[name] },
    })),
    { name: "getTransactionsStd", server: service, requests: requests.getTransactionsStd, goals: { [page]: 0.3 } },
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
