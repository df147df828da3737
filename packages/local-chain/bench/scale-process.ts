/**
 * Makes a number of steps, and prints their cost as JSON.
 *
 * node scale-process.ts DIRECTORY STEPS
 */
import { readFileSync } from "node:fs";
import { openProducer } from "@chain-query/local-chain";

export interface ScaleReport {
  readonly transactions: number;
  /** CPU milliseconds of all threads. */
  readonly cpuMs: number;
  /** Resident megabytes without and with the mapped pages of the LMDB file. */
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

/** Mapped file pages on Linux; 0 elsewhere. */
function fileMegabytes(): number {
  if (process.platform !== "linux") return 0;
  const kilobytes = /RssFile:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return Number(kilobytes ?? 0) / 1024;
}
