/** A service with two workers, compared with one process. */
import { availableParallelism } from "node:os";
import { generator } from "./load.ts";
import { measureInTurn, median, printTable, ratios } from "./measure.ts";
import { requestsOn } from "./requests.ts";
import { startServer } from "./server-process.ts";

const rounds = { rounds: 5, seconds: 2, connections: 32 } as const;

/** Prints the ratio for operations that compute little and more. */
export async function benchWorkers(chain: string): Promise<void> {
  const requests = await requestsOn(chain, 1000);
  await using one = await startServer({ kind: "service", chain });
  await using two = await startServer({ kind: "service", chain, workers: 2 });
  const rows: string[][] = [];
  for (const name of ["getMasterchainInfo", "lookupBlock", "getTransactionsStd"] as const) {
    const results = await measureInTurn(
      [
        { name: "one", server: one, requests: requests[name] },
        { name: "two", server: two, requests: requests[name] },
      ],
      rounds,
    );
    const [single = [], double = []] = results.values();
    const rates = [single, double].map((all) => median(all.map(({ rate }) => rate)).toFixed(0));
    rows.push([name, ...rates, ratios(double, single).rate.toFixed(2)]);
  }
  const { rounds: count, seconds, connections } = rounds;
  const cores = availableParallelism();
  console.log(`workers: ${count} rounds of ${seconds} s, ${connections} connections, ${generator}, ${cores} cores\n`);
  printTable([["requests per second", "one", "two", "ratio"], ...rows]);
  console.log("goal ≥ 1.6 if each worker and the load generator have a core of their own\n");
}
