/** How much history lite servers keep, for `status`. */
import { setTimeout as sleep } from "node:timers/promises";
import { type GlobalConfig, type LiteServerStatus, liteClient } from "@chain-query/lite-client";
import { readConfig } from "../sources/open-source.ts";

/** A lite server and its history. */
export type ServerHistory = Pick<LiteServerStatus, "name" | "state" | "oldest">;

/** Milliseconds in which the servers have to answer. */
const TIMEOUT = 10_000;
const CHECK_INTERVAL = 50;

/** Probes the servers of a file, all at the same time. Those that do not answer in time have no `oldest`. */
export async function readServerHistories(flag: string, file: string): Promise<readonly ServerHistory[]> {
  const config = readConfig(flag, file);
  return (await Promise.all(config.servers.map((server) => probe({ ...config, servers: [server] })))).flat();
}

/** A client probes its servers one after another. */
async function probe(config: GlobalConfig): Promise<readonly ServerHistory[]> {
  await using client = liteClient(config, { trust: "proofs", probesHistory: "states" });
  const end = performance.now() + TIMEOUT;
  while (performance.now() < end && client.servers.some(({ oldest }) => oldest === undefined)) await sleep(CHECK_INTERVAL);
  return client.servers.map(({ name, state, oldest }) => ({ name, state, oldest }));
}
