/** The same requests on a chain of ten thousand transactions and on one of a million, filled in bulk. */
import { join } from "node:path";
import { openChain } from "@chain-query/local-chain";
import { fillChain, filledAccounts } from "./chains.ts";
import { generator, load, type Shot } from "./load.ts";
import { type Subject, startSubject } from "./process.ts";
import { shotsOn } from "./shots.ts";
import { median, printTable } from "./table.ts";

const sizes = [
  { transactions: 10_000, accounts: 500 },
  { transactions: 1_000_000, accounts: 10_000 },
] as const;
const rounds = 5;
const seconds = 2;
const connections = 16;
/** As many accounts are asked for on both, so that what is kept in memory is of one size. */
const variety = 500;
const goal = 1.3;

interface Side {
  readonly subject: Subject;
  readonly shots: Readonly<Record<string, readonly Shot[]>>;
}

/** Prints computing for each request on both, and the ratio. */
export async function benchScale(folder: string): Promise<void> {
  await using small = await side(folder, sizes[0]);
  await using large = await side(folder, sizes[1]);
  console.log(`scale: ${rounds} rounds of ${seconds} s each, ${connections} connections, ${generator}, ${variety} accounts\n`);
  const rows: string[][] = [];
  for (const name of Object.keys(small.shots)) {
    const results = [small, large].map((): { perSecond: number; cpu: number }[] => []);
    for (let index = -1; index < rounds; index++) {
      for (const which of index % 2 === 0 ? [0, 1] : [1, 0]) {
        const result = await round(which === 0 ? small : large, name);
        if (index >= 0) results[which]?.push(result);
      }
    }
    const [few = [], many = []] = results;
    const byRate = median(few.map(({ perSecond }, index) => perSecond / (many[index]?.perSecond ?? Number.NaN)));
    const [cpuFew, cpuMany] = [few, many].map((all) => median(all.map(({ cpu }) => cpu)));
    const figures = [cpuFew, cpuMany].map((cpu) => (cpu ?? Number.NaN).toFixed(1));
    rows.push([name, ...figures, ((cpuMany ?? Number.NaN) / (cpuFew ?? Number.NaN)).toFixed(2), byRate.toFixed(2)]);
  }
  printTable([["µs of computing each", ...sizes.map(({ transactions }) => `at ${transactions}`), "ratio", "by rate"], ...rows]);
  console.log(`goal ≤ ${goal}\n`);
}

async function side(folder: string, { transactions, accounts }: (typeof sizes)[number]): Promise<Side & AsyncDisposable> {
  const chain = join(folder, String(transactions));
  await fillChain(chain, accounts, transactions);
  const reader = openChain(chain);
  const shots = shotsOn(reader, await filledAccounts(accounts), variety);
  await reader.close();
  const flags = ["--chain", chain, "--keys", `${chain}.keys`, "--no-produce", "--keyless-rate", "0"];
  const subject = await startSubject({ kind: "service", flags });
  return { subject, shots, [Symbol.asyncDispose]: () => subject[Symbol.asyncDispose]() };
}

async function round({ subject, shots }: Side, name: string): Promise<{ perSecond: number; cpu: number }> {
  const before = await subject.ask("cpu");
  const { perSecond } = await load({ url: subject.url, shots: shots[name] ?? [], seconds, connections });
  return { perSecond, cpu: ((await subject.ask("cpu")) - before) / (perSecond * seconds) };
}
