/** The same requests on synthetic chains of ten thousand and of a million transactions. */
import { join } from "node:path";
import { createSyntheticChain, syntheticAccount } from "@chain-query/local-chain/testing";
import { generator } from "./load.ts";
import { measureInTurn, median, printTable, ratios } from "./measure.ts";
import { type Requests, requestsOn } from "./requests.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

const sizes = [
  { transactions: 10_000, accounts: 500 },
  { transactions: 1_000_000, accounts: 10_000 },
] as const;
const rounds = { rounds: 5, seconds: 2, connections: 16 } as const;
/** Number of accounts to ask for on both chains, so that the caches hold as much. */
const variety = 500;
const goal = 1.3;

/** Prints the CPU time of each request on both chains, and the ratio. */
export async function benchScale(folder: string): Promise<void> {
  await using small = await prepare(folder, sizes[0]);
  await using large = await prepare(folder, sizes[1]);
  const rows: string[][] = [];
  for (const name of Object.keys(small.requests) as (keyof Requests)[]) {
    const contenders = [small, large].map(({ server, requests }, index) => {
      return { name: String(index), server, requests: requests[name] };
    });
    const [few = [], many = []] = (await measureInTurn(contenders, rounds)).values();
    const { rate, cpu } = ratios(few, many);
    const times = [few, many].map((all) => median(all.map((one) => one.cpu)).toFixed(1));
    rows.push([name, ...times, cpu.toFixed(2), rate.toFixed(2)]);
  }
  const { rounds: count, seconds, connections } = rounds;
  console.log(`scale: ${count} rounds of ${seconds} s, ${connections} connections, ${generator}, ${variety} accounts\n`);
  printTable([["CPU µs each", ...sizes.map(({ transactions }) => `at ${transactions}`), "ratio", "by rate"], ...rows]);
  console.log(`goal ≤ ${goal}\n`);
}

interface Side extends AsyncDisposable {
  readonly server: ServerProcess;
  readonly requests: Requests;
}

async function prepare(folder: string, { transactions, accounts }: (typeof sizes)[number]): Promise<Side> {
  const chain = join(folder, String(transactions));
  await createSyntheticChain(chain, { accounts, transactionsPerStep: 100 }, transactions);
  const ids = Array.from({ length: accounts }, (_, index) => syntheticAccount(index));
  const requests = await requestsOn(chain, variety, ids);
  const server = await startServer({ kind: "service", chain });
  return { server, requests, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
