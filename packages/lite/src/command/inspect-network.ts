import { setTimeout as sleep } from "node:timers/promises";
import { listenForInterrupt, statusLine, type Terminal } from "@chain-query/command-line";
import { hex } from "@chain-query/format/cells";
import type { AccountId } from "@chain-query/format/identifiers";
import { type LiteClient, liteClient } from "../lite-client.ts";
import { readGlobalConfig } from "../lite-files.ts";
import type { LiteAccount } from "../read/accounts.ts";
import { describeSync, type LiteEvent, liteSyncStatus } from "../servers/events.ts";
import type { GlobalConfig } from "../servers/global-config.ts";
import type { LiteServerStatus } from "../servers/server.ts";
import { LiteError } from "../wire/lite-error.ts";
import type { InspectCommand } from "./arguments.ts";

/** Milliseconds to wait for slower servers after the first head. */
const LATE = 1_000;
/** Milliseconds without a newer verified key block after which the command does not wait for the first head any more. */
const STALLED = 15_000;

/** Prints servers, head and one account. The exit code is 0, 1 if the network cannot be read, and 130 after Ctrl-C. */
export async function inspectNetwork(command: InspectCommand, terminal: Terminal): Promise<number> {
  const config = readGlobalConfig(command.config);
  const say = (text: string) => terminal.stderr.write(`chain-query-lite: ${text}\n`);
  for (const warning of config.warnings) say(`warning: ${warning}`);
  const timeoutMs = command.timeout * 1000;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new LiteError("timeout", `no answer within ${command.timeout} s`)), timeoutMs);
  const interrupt = listenForInterrupt();
  const signal = AbortSignal.any([late.signal, interrupt.signal]);
  const line = statusLine(terminal.stderr);
  const showSync = liteSyncStatus(line);
  let signatures = 0;
  const progress = { at: performance.now() };
  const onEvent = (event: LiteEvent): void => {
    showSync(event);
    if (event.type === "sync") progress.at = performance.now();
    if (event.type === "verified") signatures += event.signatures;
    if (event.type === "anchor-failed") say(`warning: the anchor file cannot be written: ${event.reason}`);
    if (event.type === "sync" && event.isMilestone && !terminal.stderr.isTTY) say(describeSync(event));
  };
  const { liteAnchor: anchorFile, liteHeadFrom: headFrom } = command;
  const client = liteClient(config, { anchorFile, headFrom, timeoutMs, onEvent });
  const { trusted } = client;
  try {
    const print = (text: string) => terminal.stdout.write(`${text}\n`);
    await inspect(client, config, command, signal, print, progress);
    const verified = `${signatures} signatures of validators, from block ${trusted.seqno} on`;
    print(`checked  head: ${client.warning ?? verified}`);
    return 0;
  } catch (error) {
    const { exitCode } = interrupt;
    if (exitCode === undefined && !(error instanceof LiteError)) throw error;
    line.clear();
    for (const row of serverTable(client.servers)) terminal.stdout.write(`${row}\n`);
    say(exitCode === undefined ? (error as LiteError).message : "interrupted");
    return exitCode ?? 1;
  } finally {
    clearTimeout(timer);
    interrupt.release();
    await client.close();
  }
}

async function inspect(
  client: LiteClient,
  config: GlobalConfig,
  { account }: InspectCommand,
  signal: AbortSignal,
  print: (line: string) => void,
  progress: { readonly at: number },
): Promise<void> {
  const count = config.servers.length;
  print(`network  zero state ${hex(config.zeroState.rootHash)}, ${count} lite server${count === 1 ? "" : "s"}`);
  const isUsable = ({ state }: LiteServerStatus) => state !== "failing" && state !== "quarantined";
  // Reads fail before the first head.
  await sleepWhile(() => !client.head && performance.now() - progress.at < STALLED && client.servers.some(isUsable), signal);
  const startedAt = performance.now();
  const found = await client.getAccount(account, { signal });
  const ms = performance.now() - startedAt;
  const until = performance.now() + LATE;
  await sleepWhile(() => performance.now() < until && client.servers.some(({ state }) => state === "connecting"), signal);
  const head = await client.waitForHead({ signal });
  for (const row of serverTable(client.servers)) print(row);
  print(
    `head     ${head.block.seqno}, made ${new Date(head.time * 1000).toISOString()}, root hash ${hex(head.block.rootHash)}`,
  );
  print(
    `account  ${describeAccount(account, found)}, as of block ${found.block.id.seqno}, read ${ms.toFixed(0)} ms after the start`,
  );
  print("checked  account: Merkle proofs from the head to the shard's block, from its state to the account");
}

async function sleepWhile(holds: () => boolean, signal: AbortSignal): Promise<void> {
  while (holds()) {
    signal.throwIfAborted();
    await sleep(50);
  }
}

function describeAccount({ workchain, hash }: AccountId, { account, last }: LiteAccount): string {
  const name = `${workchain}:${hex(hash)}`;
  if (!account) return `${name} does not exist`;
  return `${name} is ${account.status}, has ${account.balance} of the smallest unit, last transaction at lt ${last.lt}`;
}

function serverTable(servers: readonly LiteServerStatus[]): string[] {
  const rows = servers.map(({ name, state, seqno, lag, latency, reason }) => {
    const numbers = [
      seqno ?? "-",
      lag === undefined ? "-" : `${lag.toFixed(2)} s`,
      latency === undefined ? "-" : `${latency.toFixed(1)} ms`,
    ];
    return [name, state, ...numbers, reason ?? ""].map(String);
  });
  const table = [["server", "state", "head", "lag", "latency", ""], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
