/** How long answers take at half of the load that the service can bear: requests are sent at their time, however long others take. */
import { openChain } from "@chain-query/local-chain";
import { accountsOf } from "./accounts.ts";
import { generator, load, type Outcome } from "./load.ts";
import { startSubject } from "./process.ts";
import { shotsOn } from "./shots.ts";
import { median, printTable } from "./table.ts";

const connections = 16;
const variety = 1000;
const rounds = 5;
const seconds = 3;
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
  await using bare = await startSubject({ kind: "bare", bytes: 1000 });
  const rows: string[][] = [];
  for (const [name, some] of Object.entries(shots)) {
    const wanted = { url: service.url, shots: some, connections };
    await load({ ...wanted, seconds: 2 });
    const { perSecond } = await load({ ...wanted, seconds: 3 });
    const rate = Math.round(perSecond / 2);
    // What the machine and the generator add shows where there is nothing to do.
    const outcomes: { half: Outcome; idle: Outcome }[] = [];
    for (let round = 0; round < rounds; round++)
      outcomes.push({
        idle: await load({ ...wanted, url: bare.url, seconds, rate }),
        half: await load({ ...wanted, seconds, rate }),
      });
    const times = [
      outcomes.map(({ half }) => half.p50),
      outcomes.map(({ half }) => half.p99),
      outcomes.map(({ idle }) => idle.p99),
    ].map((milliseconds) => median(milliseconds).toFixed(2));
    rows.push([name, perSecond.toFixed(0), rate.toFixed(0), ...times]);
  }
  console.log(
    `latency at half load: ${rounds} rounds of ${seconds} s each, of which the median is told, ${connections} connections; the most by ${generator}, half of it by the clock\n`,
  );
  printTable([["requests per second", "most", "half", "p50 ms", "p99 ms", "p99 of bare node:http"], ...rows]);
  console.log(`goal p99 ≤ ${goal} ms\n`);
}
