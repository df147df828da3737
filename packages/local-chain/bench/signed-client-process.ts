/**
 * Follows the head of a chain, and sends requests for accounts, one after another, while a load of its input asks for them. Prints a line
 * when it has a head, and one for each load. Ends when its input ends.
 *
 * node signed-client-process.ts TRUST CONFIG HASH...
 */
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { type LiteTrust, liteClient, parseGlobalConfig } from "@chain-query/lite-client";

export interface Load {
  readonly seconds: number;
  readonly hasRequests: boolean;
}

export interface LoadReport {
  /** Milliseconds of CPU time, of all threads. */
  readonly cpuMs: number;
  /** Heads that became known. */
  readonly heads: number;
  /** Milliseconds of each request. */
  readonly latencies: readonly number[];
}

const [trust, config = "", ...hashes] = process.argv.slice(2);
const accounts = hashes.map((hash) => ({ workchain: 0, hash: new Uint8Array(Buffer.from(hash, "hex")) }));
const client = liteClient(parseGlobalConfig(config), { trust: trust as LiteTrust, rate: 100_000, cacheBytes: 0 });
let heads = 0;
client.watchHead(() => heads++);
await client.waitForHead();
console.log("true");
for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(await report(JSON.parse(line))));
process.exit();

async function report({ seconds, hasRequests }: Load): Promise<LoadReport> {
  const [before, headsBefore, end] = [process.cpuUsage(), heads, performance.now() + seconds * 1000];
  const latencies: number[] = [];
  if (!hasRequests) await sleep(seconds * 1000);
  for (let next = 0; performance.now() < end; next++) {
    const account = accounts[next % accounts.length];
    if (!account) throw new Error("there are no accounts");
    const start = performance.now();
    await client.getAccount(account);
    latencies.push(performance.now() - start);
  }
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000, heads: heads - headsBefore, latencies };
}
