/** What well-behaved callers notice of ill-behaved ones, and of processes that die. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { load, type Shot } from "./load.ts";
import { startSubject } from "./process.ts";
import { printTable } from "./table.ts";

/** Requests per second of the well-behaved: far from what the service can bear, as most services are. */
const rate = 500;
const connections = 16;
const seconds = 6;
const goal = 3;

const shots: readonly Shot[] = [
  { method: "GET", path: "/api/v2/getMasterchainInfo" },
  { method: "POST", path: "/api/v2/getConsensusBlock", body: "{}" },
  { method: "POST", path: "/api/v2/lookupBlock", body: '{"workchain":-1,"shard":"-9223372036854775808","seqno":7}' },
];

const disturbances = [
  { title: "10,000 idle connections", name: "idling", count: 10_000 },
  { title: "1,000 dripping requests", name: "dripping", count: 1000 },
  { title: "bodies of 2 MB, 4 at a time", name: "largeBodies", count: 4 },
  { title: "heads of 1 MB, 4 at a time", name: "largeHeaders", count: 4 },
] as const;

/** Prints the 99th percentile while each lasts, beside the quiet one. */
export async function benchFaults(chain: string): Promise<void> {
  const flags = ["--chain", chain, "--keys", `${chain}.keys`, "--no-produce", "--keyless-rate", "0"];
  await using service = await startSubject({ kind: "service", flags });
  const ask = () => load({ url: service.url, shots, seconds, connections, rate });
  await ask();
  const quiet = (await ask()).p99;
  const rows = [["nothing", quiet.toFixed(2), "1.00"]];
  for (const { title, name, count } of disturbances) {
    const disturber = fork(
      fileURLToPath(new URL("abusive-clients.ts", import.meta.url)),
      [name, String(count), new URL(service.url).port],
      {
        execArgv: ["--no-warnings"],
      },
    );
    await once(disturber, "message");
    const { p99 } = await ask();
    const gone = once(disturber, "exit");
    disturber.disconnect();
    await gone;
    rows.push([title, p99.toFixed(2), (p99 / quiet).toFixed(2)]);
  }
  console.log(`faults: ${rate} requests per second of others, ${seconds} s each; all of them were answered\n`);
  printTable([["while", "p99 ms", "of the quiet"], ...rows]);
  console.log(`goal ≤ ${goal}\n`);
}
