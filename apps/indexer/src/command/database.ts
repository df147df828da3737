/** Commands on the database: migrate, verify, status and drop. */
import { CommandLineError, type ProgressBar, progressBar, type Terminal } from "@chain-query/command-line";
import type { LiteHistory } from "@chain-query/lite";
import {
  type DroppedPartition,
  dropAfter,
  dropHistory,
  type IndexStatus,
  migrate,
  PostgresStoreError,
  readIndexStatus,
  SCHEMA_VERSION,
  verifyIndex,
} from "@chain-query/postgres-store";
import type { DatabaseCommand, DropCommand, StatusCommand, VerifyCommand } from "./arguments.ts";
import { ageOf, spanOf } from "./report.ts";

/** Converts `RangeError`s of the store, for wrong URLs and ranges, to `CommandLineError`s. */
export async function withUsageErrors<T>(use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (error) {
    throw error instanceof RangeError ? new CommandLineError([error.message]) : error;
  }
}

/** Makes the tables, or brings them up to date. */
export async function migrateDatabase({ postgres }: DatabaseCommand, { stdout }: Terminal): Promise<number> {
  const done = await withUsageErrors(() => migrate({ url: postgres }));
  const what = done.length === 0 ? "nothing to do" : `ran ${counted(done.length, "migration")}`;
  stdout.write(`schema version ${SCHEMA_VERSION}: ${what}\n`);
  return 0;
}

/** Checks every row. Returns 1 if a row is wrong. */
export async function verifyDatabase({ postgres, from }: VerifyCommand, { stdout, stderr }: Terminal): Promise<number> {
  let bar: ProgressBar | undefined;
  const onProgress = (checked: number, all: number): void => {
    bar ??= progressBar(stderr, all);
    bar.show(checked, "transactions");
  };
  try {
    const { steps, blocks, transactions, accounts, firstSeqno } = await withUsageErrors(() =>
      verifyIndex({ url: postgres }, { onProgress, ...(from !== undefined && { from }) }),
    );
    bar?.clear();
    const since = firstSeqno === 0 ? "" : `, without the steps before ${firstSeqno}`;
    const content = `${steps} steps, ${blocks} blocks, ${transactions} transactions, ${accounts} accounts`;
    stdout.write(`the index is valid: ${content}${since}\n`);
    return 0;
  } catch (error) {
    bar?.clear();
    if (!(error instanceof PostgresStoreError && error.kind === "damaged")) throw error;
    stdout.write(`the index is invalid: ${error.message}\n`);
    return 1;
  }
}

/** Prints the content of an index. */
export async function showStatus({ postgres, json, fromLiteServers }: StatusCommand, { stdout }: Terminal): Promise<number> {
  const status = await withUsageErrors(() => readIndexStatus({ url: postgres }));
  const servers = fromLiteServers === undefined ? undefined : await serversOf(fromLiteServers);
  stdout.write(json ? jsonOf(status, servers) : `${linesOf(status, servers).join("\n")}\n`);
  return 0;
}

async function serversOf(file: string): Promise<readonly LiteHistory[]> {
  return (await import("../sources/open-source.ts")).readHistories(file);
}

/** Drops old partitions, or shows them, or drops the newest steps. */
export async function dropSteps({ postgres, after, before, dryRun }: DropCommand, { stdout }: Terminal): Promise<number> {
  if (after !== undefined) {
    stdout.write(await dropNewest(postgres, after));
    return 0;
  }
  const verb = dryRun ? "would drop" : "dropped";
  const onDropped = ({ from, to, time, bytes }: DroppedPartition): void => {
    const made = new Date(time * 1000).toISOString().slice(0, 16).replace("T", " ");
    stdout.write(`${verb} steps ${from} to ${to}, made until ${made} UTC: ${sizeOf(bytes)}\n`);
  };
  const { dropped, kept } = await withUsageErrors(() => dropHistory({ url: postgres }, { before, dryRun, onDropped }));
  const bytes = dropped.reduce((sum, partition) => sum + partition.bytes, 0);
  stdout.write(`${verb} ${dropped.length} partitions, ${sizeOf(bytes)}; the rest stays: ${kept}\n`);
  return 0;
}

/** Drops the steps after one. An indexer that runs is a mistake of the operator, which waiting does not correct. */
async function dropNewest(postgres: string, after: number): Promise<string> {
  const { steps, transactions } = await withUsageErrors(() => dropAfter({ url: postgres }, after)).catch((error: unknown) => {
    if (!(error instanceof PostgresStoreError && error.kind === "busy")) throw error;
    throw new CommandLineError([`${error.message}: stop all indexers; one that was killed keeps it for up to 20 s`]);
  });
  const dropped = `dropped ${counted(steps, "step")} with ${counted(transactions, "transaction")}`;
  return `${dropped}: the head is step ${after}; restart all instances of the service\n`;
}

function jsonOf({ transactionCount, ...status }: IndexStatus, servers: readonly LiteHistory[] | undefined): string {
  const leases = status.leases.map(({ state, ...lease }) => ({
    ...lease,
    ...(state !== undefined && { state: parsed(state) }),
  }));
  // JSON leaves out what is undefined.
  const all = { schemaVersion: SCHEMA_VERSION, transactionCount: Number(transactionCount), ...status, leases, servers };
  return `${JSON.stringify(all, undefined, 2)}\n`;
}

function linesOf(status: IndexStatus, servers: readonly LiteHistory[] = []): string[] {
  const { head, headTime, transactionCount, bytes, tables, partitions, leases } = status;
  const each = transactionCount === 0n ? "" : `, ${Math.round(bytes / Number(transactionCount))} bytes for each transaction`;
  const rows: (readonly [string, string])[] = [
    ["schema", `version ${SCHEMA_VERSION}`],
    ["head", head === undefined ? "none: no indexer has begun" : `step ${head}, made ${ageOf(headTime ?? 0)}`],
    ["content", `${counted(Number(transactionCount), "transaction")}, ${sizeOf(bytes)}${each}`],
    ...tables.map(({ name, bytes }): [string, string] => ["", `${name} ${sizeOf(bytes)}`]),
    ["history", historyLine(status)],
    ...partitions.map(({ from, to, bytes }): [string, string] => [
      "",
      `steps ${from} ${to === undefined ? "on" : `to ${to}`}: ${sizeOf(bytes)}`,
    ]),
    ["writers", leases.length === 0 ? "none" : ""],
    ...leases.flatMap(({ name, holder, age, state }): [string, string][] => [
      ["", `${name}: ${holder}, seen ${spanOf(age)} ago`],
      ...lineOf(state).map((line): [string, string] => ["", line]),
    ]),
    ...(servers.length === 0 ? [] : [["servers", ""] as const]),
    ...servers.map((server): [string, string] => ["", `${server.name}: ${serverLine(server)}`]),
  ];
  return rows.map(([label, text]) => `${label.padEnd(9)}${text}`.trimEnd());
}

/** The state that a writer stored with its lease. */
function parsed(state: string): unknown {
  try {
    return JSON.parse(state);
  } catch {
    return undefined;
  }
}

function lineOf(state = ""): readonly string[] {
  const found = parsed(state);
  const isState = typeof found === "object" && found !== null && "msg" in found && typeof found.msg === "string";
  return isState ? [String(found.msg)] : [];
}

function historyLine({ firstSeqno, beginsAt }: IndexStatus): string {
  if (firstSeqno === 0) return "whole";
  return `from step ${firstSeqno} on; ${firstSeqno === beginsAt ? "the index begins there" : "older partitions were dropped"}`;
}

function serverLine({ state, oldest }: LiteHistory): string {
  if (oldest === undefined) return state;
  return oldest.seqno === 1
    ? "the whole history"
    : `blocks and states from step ${oldest.seqno} on, made ${ageOf(oldest.time)}`;
}

/** A number of bytes with a decimal unit. */
function sizeOf(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
