/** Answer times of well-behaved callers while other clients abuse the service. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { AbuseName } from "./abusive-clients.ts";
import { load } from "./load.ts";
import { printTable } from "./measure.ts";
import type { Request } from "./requests.ts";
import { startServer } from "./server-process.ts";

/** Requests per second of the well-behaved callers, far below what the service can bear. */
const rate = 500;
const connections = 16;
const seconds = 6;
const goal = 3;

const requests: readonly Request[] = [
  { method: "GET", path: "/api/v2/getMasterchainInfo" },
  { method: "POST", path: "/api/v2/getConsensusBlock", body: "{}" },
  { method: "POST", path: "/api/v2/lookupBlock", body: '{"workchain":-1,"shard":"-9223372036854775808","seqno":7}' },
];

const abuses: readonly { readonly title: string; readonly name: AbuseName; readonly count: number }[] = [
  { title: "10,000 idle connections", name: "idling", count: 10_000 },
  { title: "1,000 requests byte by byte", name: "dripping", count: 1000 },
  { title: "bodies of 2 MB, 4 at a time", name: "largeBodies", count: 4 },
  { title: "headers of 1 MB, 4 at a time", name: "largeHeaders", count: 4 },
];
const program = fileURLToPath(new URL("abusive-clients.ts", import.meta.url));

/** Prints the 99th percentile during each kind of abuse, and its ratio to the undisturbed one. */
export async function benchFaults(chain: string): Promise<void> {
  await using service = await startServer({ kind: "service", chain });
  const measure = () => load({ url: service.url, requests, seconds, connections, rate });
  await measure();
  const quiet = (await measure()).p99;
  const rows = [["no abuse", quiet.toFixed(2), "1.00"]];
  for (const { title, name, count } of abuses) {
    const clients = fork(program, [name, String(count), new URL(service.url).port], { execArgv: ["--no-warnings"] });
    await once(clients, "message");
    const { p99 } = await measure();
    const exited = once(clients, "exit");
    clients.disconnect();
    await exited;
    rows.push([title, p99.toFixed(2), (p99 / quiet).toFixed(2)]);
  }
  console.log(`faults: ${rate} requests per second, ${seconds} s each; all of them were answered\n`);
  printTable([["during", "p99 ms", "ratio"], ...rows]);
  console.log(`goal ≤ ${goal}\n`);
}
