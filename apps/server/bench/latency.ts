/** How long answers take at half of the load that the service can bear: requests are sent at their time, however long others take. */
import { openChain } from "@chain-query/local-chain";
import { accountsOf } from "../test/block-accounts.ts";
import { load } from "./load.ts";
import { startSubject } from "./process.ts";
import { shotsOn } from "./shots.ts";
import { printTable } from "./table.ts";

const connections = 16;
const variety = 1000;
const seconds = 8;
/** Milliseconds. */
const goal = 5;

/** Prints the 99th percentile of each operation. */
export async function benchLatency(chain: string): Promise<void> {
  const reader = openChain(chain);
  const shots = shotsOn(reader, accountsOf(reader), variety);
  await reader.close();
  await using service = await startSubject({
    kind: "service",
    flags: ["--chain", chain, "--keys", `${chain}.keys`, "--no-produce", "--keyless-rate", "0"],
  });
  const rows: string[][] = [];
  for (const [name, some] of Object.entries(shots)) {
    const wanted = { url: service.url, shots: some, connections };
    // The generator that keeps a rate says as well what it could send at most.
    await load({ ...wanted, seconds: 2, generator: "autocannon" });
    const { perSecond } = await load({ ...wanted, seconds: 3, generator: "autocannon" });
    const { p50, p99 } = await load({ ...wanted, seconds, rate: Math.round(perSecond / 2) });
    rows.push([name, perSecond.toFixed(0), p50.toFixed(2), p99.toFixed(2)]);
  }
  console.log(`latency at half load: ${seconds} s each, ${connections} connections, autocannon\n`);
  printTable([["", "full load per second", "p50 ms", "p99 ms"], ...rows]);
  console.log(`goal p99 ≤ ${goal} ms\n`);
}
