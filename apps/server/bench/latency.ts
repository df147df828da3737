/** Answer times at half of the highest load. Requests are sent at an even pace, however long their answers take. */
import { generator, load, type Outcome } from "./load.ts";
import { median, printTable } from "./measure.ts";
import { requestsOn } from "./requests.ts";
import { startServer } from "./server-process.ts";

const connections = 16;
const rounds = 5;
const seconds = 3;
/** Milliseconds. */
const goal = 5;

/** Prints the median and the 99th percentile of each operation. */
export async function benchLatency(chain: string): Promise<void> {
  await using service = await startServer({ kind: "service", chain });
  // What the machine and the load generator add shows on a server that does nothing.
  await using bare = await startServer({ kind: "bare", bytes: 1000 });
  const rows: string[][] = [];
  for (const [name, requests] of Object.entries(await requestsOn(chain, 1000))) {
    const common = { url: service.url, requests, connections };
    await load({ ...common, seconds: 2 });
    const { perSecond } = await load({ ...common, seconds: 3 });
    const rate = Math.round(perSecond / 2);
    const outcomes: { half: Outcome; idle: Outcome }[] = [];
    for (let round = 0; round < rounds; round++) {
      const idle = await load({ ...common, url: bare.url, seconds, rate });
      outcomes.push({ idle, half: await load({ ...common, seconds, rate }) });
    }
    const times = [
      outcomes.map(({ half }) => half.p50),
      outcomes.map(({ half }) => half.p99),
      outcomes.map(({ idle }) => idle.p99),
    ].map((milliseconds) => median(milliseconds).toFixed(2));
    rows.push([name, perSecond.toFixed(0), rate.toFixed(0), ...times]);
  }
  const how = `median of ${rounds} rounds of ${seconds} s, ${connections} connections`;
  console.log(`latency at half load: ${how}; highest load by ${generator}, half load at an even pace\n`);
  printTable([["requests per second", "highest", "half", "p50 ms", "p99 ms", "p99 of bare node:http"], ...rows]);
  console.log(`goal p99 ≤ ${goal} ms\n`);
}
