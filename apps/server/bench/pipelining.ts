/** Memory, and the time of health checks, while connections pipeline requests for long pages and do not read the answers. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createSyntheticChain, syntheticAccount } from "@chain-query/local-chain/testing";
import { toRawAddress } from "@chain-query/openapi/address";
import { load } from "./load.ts";
import { printTable } from "./measure.ts";
import { startServer } from "./server-process.ts";

const connections = 20;
const requestsEach = 560;
const accounts = 20;
const transactions = 30_000;
const megabyte = 2 ** 20;
const goals = { memory: 300, p99: 100 } as const;

/** Prints the memory above that of the idle service during the abuse and 30 seconds later, and the 99th percentile of health checks. */
export async function benchPipelining(folder: string): Promise<void> {
  const chain = join(folder, "pipelining");
  await createSyntheticChain(chain, { accounts, transactionsPerStep: 100 }, transactions);
  await using service = await startServer({ kind: "service", chain });
  const checks = { url: service.url, requests: [{ method: "GET", path: "/healthz" }], connections: 4, rate: 50 } as const;
  const quiet = await load({ ...checks, seconds: 5 });
  const idle = await service.read("rss");
  const above = async (): Promise<string> => (((await service.read("rss")) - idle) / megabyte).toFixed(0);
  const sockets = await Promise.all(Array.from({ length: connections }, (_, index) => pipeline(service.url, index)));
  const { p99 } = await load({ ...checks, seconds: 10 });
  const during = await above();
  for (const socket of sockets) socket.destroy();
  await sleep(30_000);
  console.log(`pipelining: ${connections} connections, each ${requestsEach} requests for pages of 1000, not read\n`);
  printTable([
    ["", "value", "goal"],
    ["MB above idle", during, `≤ ${goals.memory}`],
    ["MB above idle, 30 s later", await above(), ""],
    ["p99 ms of /healthz before", quiet.p99.toFixed(1), ""],
    ["p99 ms of /healthz", p99.toFixed(1), `≤ ${goals.p99}`],
  ]);
}

async function pipeline(url: string, index: number): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on("error", () => {});
  await once(socket, "connect");
  const address = toRawAddress(syntheticAccount(index % accounts));
  const requests = Array.from({ length: requestsEach }, (_, count) => {
    return `GET /api/v2/getTransactionsStd?archival=true&limit=${1000 - (count % 400)}&address=${address} HTTP/1.1\r\nhost: x\r\n\r\n`;
  });
  socket.pause().write(requests.join(""));
  return socket;
}
