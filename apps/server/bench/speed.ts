/** The service beside a bare node:http that has nothing to do, and beside Prism on the same contract: in turn, in one run. */
import { openChain } from "@chain-query/local-chain";
import { accountsOf } from "./accounts.ts";
import { generator, type Load, load, type Shot } from "./load.ts";
import { type Subject, startSubject } from "./process.ts";
import { shotsOn } from "./shots.ts";
import { median, printTable } from "./table.ts";

const rounds = 5;
const seconds = 2;
const connections = 16;
/** Different requests of each operation. */
const variety = 1000;

interface Contender {
  readonly name: string;
  readonly subject: Subject;
  readonly shots: readonly Shot[];
  /** Whose rate this one's is compared with, and how much of it is wanted. */
  readonly goals: readonly { readonly beside: string; readonly least: number }[];
}

interface Round {
  readonly perSecond: number;
  /** Microseconds of computing for each request. */
  readonly cpu: number;
}

/** Prints requests per second and the ratios. */
export async function benchSpeed(chain: string): Promise<void> {
  const reader = openChain(chain);
  const shots = shotsOn(reader, accountsOf(reader), variety);
  await reader.close();
  await using service = await startSubject({
    kind: "service",
    flags: ["--chain", chain, "--keys", `${chain}.keys`, "--no-produce", "--keyless-rate", "0"],
  });
  const page = await meanBytes(service.url, shots.getTransactionsStd);
  await using bare = await startSubject({ kind: "bare", bytes: await meanBytes(service.url, shots.getMasterchainInfo) });
  await using barePage = await startSubject({ kind: "bare", bytes: page });
  await using prism = await startSubject({ kind: "prism" });
  const toBare = (least: number) => ({ beside: "bare node:http", least });
  const contenders: Contender[] = [
    { name: "bare node:http", subject: bare, shots: shots.getMasterchainInfo, goals: [] },
    { name: `bare node:http, ${page} bytes`, subject: barePage, shots: shots.getMasterchainInfo, goals: [] },
    { name: "Prism", subject: prism, shots: shots.getMasterchainInfo, goals: [] },
    {
      name: "getMasterchainInfo",
      subject: service,
      shots: shots.getMasterchainInfo,
      goals: [toBare(0.5), { beside: "Prism", least: 10 }],
    },
    ...(["lookupBlock", "tryLocateResultTx", "tryLocateSourceTx", "getAddressInformation"] as const).map((name) => ({
      name,
      subject: service,
      shots: shots[name],
      goals: [toBare(0.25)],
    })),
    {
      name: "getTransactionsStd",
      subject: service,
      shots: shots.getTransactionsStd,
      goals: [{ beside: `bare node:http, ${page} bytes`, least: 0.5 }],
    },
  ];
  const results = await measured(contenders);
  print(contenders, results);
}

/** In turn, so that whatever else the machine does befalls all. */
async function measured(contenders: readonly Contender[]): Promise<ReadonlyMap<string, Round[]>> {
  const results = new Map(contenders.map(({ name }) => [name, [] as Round[]]));
  for (const contender of contenders) await round(contender);
  for (let index = 0; index < rounds; index++) {
    for (const contender of index % 2 === 0 ? contenders : contenders.toReversed()) {
      results.get(contender.name)?.push(await round(contender));
    }
  }
  return results;
}

async function round({ subject, shots }: Contender): Promise<Round> {
  const wanted: Load = { url: subject.url, shots, seconds, connections };
  const before = await subject.ask("cpu");
  const { perSecond } = await load(wanted);
  return { perSecond, cpu: ((await subject.ask("cpu")) - before) / (perSecond * seconds) };
}

function print(contenders: readonly Contender[], results: ReadonlyMap<string, readonly Round[]>): void {
  const of = (name: string) => results.get(name) ?? [];
  console.log(
    `${rounds} rounds of ${seconds} s each, ${connections} connections, ${generator}, ${variety} different requests\n`,
  );
  const rows = contenders.map(({ name, shots, goals }) => {
    const own = of(name);
    const ratios = goals.map(({ beside, least }) => {
      const other = of(beside);
      const byRate = median(own.map(({ perSecond }, index) => perSecond / (other[index]?.perSecond ?? Number.NaN)));
      const byWork = median(other.map(({ cpu }) => cpu)) / median(own.map(({ cpu }) => cpu));
      return `${byRate.toFixed(2)} by rate, ${byWork.toFixed(2)} by computing, of ${beside}; goal ≥ ${least}`;
    });
    const figures = [median(own.map(({ perSecond }) => perSecond)), median(own.map(({ cpu }) => cpu))];
    return [name, String(shots.length), ...figures.map((value) => value.toFixed(0)), `  ${ratios.join("; ")}`];
  });
  printTable([["", "requests", "per second", "µs of computing each", ""], ...rows]);
}

/** What an answer weighs, of a few. */
async function meanBytes(url: string, shots: readonly Shot[]): Promise<number> {
  const few = shots.slice(0, 50);
  let all = 0;
  for (const { path } of few) all += (await (await fetch(url + path)).arrayBuffer()).byteLength;
  return Math.round(all / few.length);
}
