/** Two processes that answer beside one. */
import { availableParallelism } from "node:os";
import { openChain } from "@chain-query/local-chain";
import { accountsOf } from "./accounts.ts";
import { generator, load } from "./load.ts";
import { startSubject } from "./process.ts";
import { shotsOn } from "./shots.ts";
import { median, printTable } from "./table.ts";

const rounds = 5;
const seconds = 2;
const connections = 32;

/** Prints the ratio for an operation that computes little and one that computes more. */
export async function benchWorkers(chain: string): Promise<void> {
  const reader = openChain(chain);
  const shots = shotsOn(reader, accountsOf(reader), 1000);
  await reader.close();
  const flags = ["--chain", chain, "--keys", `${chain}.keys`, "--no-produce", "--keyless-rate", "0"];
  await using one = await startSubject({ kind: "service", flags });
  await using two = await startSubject({ kind: "service", flags: [...flags, "--workers", "2"] });
  const rows: string[][] = [];
  for (const name of ["getMasterchainInfo", "lookupBlock", "getTransactionsStd"] as const) {
    const rates = { one: [] as number[], two: [] as number[] };
    const round = async (which: "one" | "two"): Promise<number> => {
      const { url } = which === "one" ? one : two;
      return (await load({ url, shots: shots[name], seconds, connections })).perSecond;
    };
    for (const which of ["one", "two"] as const) await round(which);
    for (let index = 0; index < rounds; index++) {
      for (const which of index % 2 === 0 ? (["one", "two"] as const) : (["two", "one"] as const))
        rates[which].push(await round(which));
    }
    const ratio = median(rates.two.map((rate, index) => rate / (rates.one[index] ?? Number.NaN)));
    rows.push([name, median(rates.one).toFixed(0), median(rates.two).toFixed(0), ratio.toFixed(2)]);
  }
  const cores = availableParallelism();
  console.log(`workers: ${rounds} rounds of ${seconds} s each, ${connections} connections, ${generator}, ${cores} cores\n`);
  printTable([["requests per second", "one", "two", "ratio"], ...rows]);
  console.log("goal ≥ 1.6 where the generator leaves them a core each, which takes three\n");
}
