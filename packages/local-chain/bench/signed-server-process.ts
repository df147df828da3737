/**
 * Serves a chain, prints its global.config.json as a JSON string, and makes a step each INTERVAL milliseconds. Ends when its input ends.
 *
 * node signed-server-process.ts DIRECTORY [INTERVAL]
 */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { formatGlobalConfig, startLiteServer } from "@chain-query/lite-server";
import { liteChain, openChain, openProducer } from "@chain-query/local-chain";

const [directory = "", interval] = process.argv.slice(2);
const ended = once(process.stdin.resume(), "end").then(() => process.exit());
const producer = interval === undefined ? undefined : await openProducer(directory);
const chain = openChain(directory);
const server = await startLiteServer({ chain: liteChain(chain), key: new Uint8Array(32).fill(7) });
console.log(JSON.stringify(formatGlobalConfig(server.config())));
let next = performance.now();
for (; producer; await sleep(Math.max(0, next - performance.now()))) {
  await producer.step();
  next += Number(interval);
}
await ended;
