/** Memory, and the time of health checks, while connections pipeline requests for long pages and read the answers slowly or never. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openChain } from "@chain-query/local-chain";
import { createSyntheticChain, syntheticAccount } from "@chain-query/local-chain/testing";
import { toRawAddress } from "@chain-query/openapi/address";
import { load } from "./load.ts";
import { printTable } from "./measure.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

const connections = 20;
const requestsEach = 560;
const accounts = 20;
const transactions = 30_000;
/** The length of the pages that fill the caches before. */
const usualLength = 50;
const seconds = 20;
/** Slow readers read so much, so often: 1.3 MB a second. */
const slowRead = { bytes: 64 * 1024, interval: 50 } as const;
const megabyte = 2 ** 20;
const goals = { memory: 300, p99: 100 } as const;

/**
 * Prints the memory above that of the idle service, whose caches are full, during the abuse and 30 seconds later, and the 99th percentile of
 * health checks.
 */
export async function benchPipelining(folder: string): Promise<void> {
  const chain = join(folder, "pipelining");
  await createSyntheticChain(chain, { accounts, transactionsPerStep: 100 }, transactions);
  await using service = await startServer({ kind: "service", chain });
  const checks = { url: service.url, requests: [{ method: "GET", path: "/healthz" }], connections: 4, rate: 50 } as const;
  const fresh = await service.read("rss");
  await readHistories(service.url, chain);
  const quiet = await load({ ...checks, seconds: 5 });
  const idle = await service.read("rss");
  const sockets = await Promise.all(Array.from({ length: connections }, (_, index) => pipeline(service.url, index)));
  const slow = setInterval(() => {
    for (const socket of sockets.slice(connections / 2)) socket.read(slowRead.bytes) ?? socket.read();
  }, slowRead.interval);
  const checked = new AbortController();
  const peak = highestMemory(service, checked.signal);
  const { p99 } = await load({ ...checks, seconds });
  checked.abort();
  const most = await peak;
  clearInterval(slow);
  for (const socket of sockets) socket.destroy();
  await sleep(30_000);
  const after = await service.read("rss");
  const inMegabytes = (bytes: number): string => (bytes / megabyte).toFixed(0);
  console.log(
    `pipelining: ${connections} connections, each ${requestsEach} requests for pages of 1000, half of them read slowly\n`,
  );
  printTable([
    ["", "value", "goal"],
    ["MB of the service after its start", inMegabytes(fresh), ""],
    ["MB idle, with full caches", inMegabytes(idle), ""],
    ["MB above idle", inMegabytes(most - idle), `≤ ${goals.memory}`],
    ["MB above idle, 30 s later", inMegabytes(after - idle), ""],
    ["p99 ms of /healthz before", quiet.p99.toFixed(1), ""],
    ["p99 ms of /healthz", p99.toFixed(1), `≤ ${goals.p99}`],
  ]);
}

async function highestMemory(service: ServerProcess, until: AbortSignal): Promise<number> {
  let most = 0;
  while (!until.aborted) {
    most = Math.max(most, await service.read("rss"));
    await sleep(500);
  }
  return most;
}

/** Reads the histories of all accounts in pages of usual length. */
async function readHistories(url: string, chain: string): Promise<void> {
  const reader = openChain(chain);
  try {
    for (let index = 0; index < accounts; index++) {
      const ids = [...reader.transactions(syntheticAccount(index))].map(({ id }) => id);
      for (const { lt, hash } of ids.filter((_, count) => count % usualLength === 0)) {
        const query = new URLSearchParams({
          address: toRawAddress(syntheticAccount(index)),
          lt: String(lt),
          hash: Buffer.from(hash).toString("hex"),
          limit: String(usualLength),
          archival: "true",
        });
        const response = await fetch(`${url}/api/v2/getTransactionsStd?${query}`);
        if (!response.ok) throw new Error(`a page was answered with ${response.status}`);
        await response.arrayBuffer();
      }
    }
  } finally {
    await reader.close();
  }
}

/** Sends the requests of one connection, and reads no answer yet. */
async function pipeline(url: string, index: number): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname }).on("error", () => {});
  await once(socket, "connect");
  const address = toRawAddress(syntheticAccount(index % accounts));
  const requests = Array.from({ length: requestsEach }, (_, count) => {
    return `GET /api/v2/getTransactionsStd?archival=true&limit=${1000 - (count % 400)}&address=${address} HTTP/1.1\r\nhost: x\r\n\r\n`;
  });
  socket.pause().write(requests.join(""));
  return socket;
}
