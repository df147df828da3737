/**
 * Goes on with a chain for so many steps, and prints what that cost as JSON.
 *
 * node scale-process.ts DIRECTORY STEPS
 */
import { readFileSync } from "node:fs";
import { openProducer } from "../src/open-producer.ts";

/** What steps cost. */
export interface ScaleReport {
  readonly transactions: number;
  /** Milliseconds of computing, of all threads. */
  readonly cpuMs: number;
  /** Megabytes that belong to the process, without the pages of the store's file that the system lends it; and with them. */
  readonly ownMegabytes: number;
  readonly allMegabytes: number;
}

const [directory = "", steps = "1"] = process.argv.slice(2);
const producer = await openProducer(directory);
const begin = process.cpuUsage();
let transactions = 0;
for (let i = 0; i < Number(steps); i++) transactions += (await producer.step()).transactionCount;
const { user, system } = process.cpuUsage(begin);
const report: ScaleReport = {
  transactions,
  cpuMs: (user + system) / 1000,
  ownMegabytes: residentMegabytes() - fileMegabytes(),
  allMegabytes: residentMegabytes(),
};
await producer.close();
console.log(JSON.stringify(report));

function residentMegabytes(): number {
  return process.memoryUsage.rss() / 2 ** 20;
}

/** Told by the system where it is Linux; nothing elsewhere. */
function fileMegabytes(): number {
  if (process.platform !== "linux") return 0;
  const kilobytes = /RssFile:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return Number(kilobytes ?? 0) / 1024;
}
