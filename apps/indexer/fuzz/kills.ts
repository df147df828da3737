/** Kills an indexer at moments that follow from a seed, and checks what it leaves. */
import { setTimeout as sleep } from "node:timers/promises";
import { readIndexStatus, verifyIndex } from "@chain-query/postgres-store";
import { alone, type HoldPoint, hold } from "./holds.ts";
import { IndexerProcess } from "./indexer-process.ts";
import { numbers } from "./numbers.ts";
import { digestOf, headOf, inDatabase, requireRecordsOf } from "./tables.ts";

/** What is killed, and how often. */
export interface KillPlan {
  readonly chain: string;
  /** The length of the chain. */
  readonly steps: number;
  /** The URL of an index that was written without a kill. */
  readonly whole: string;
  /** Makes a database with the tables of an index and with holds. Called again when an index has all steps. */
  readonly createIndex: () => Promise<string>;
  readonly kills: number;
  readonly seed: number;
  readonly onKill?: (kill: number) => void;
}

/** What happened. */
export interface KillReport {
  readonly kills: number;
  /** Indexes that have every byte of the whole one, and of the chain's own records. */
  readonly finished: number;
}

/** Where an indexer is killed, by turns: held at a step, or anywhere until some time after its start. */
const moments: readonly (HoldPoint | "any")[] = ["rows", "head", "any"];
/** Steps that an indexer writes before it is killed, and milliseconds that it runs, at most. */
const [LONGEST_WAY, LONGEST_RUN] = [8, 1_500];

/** @throws Error if a killed indexer leaves anything but whole steps. */
export async function killIndexers(plan: KillPlan): Promise<KillReport> {
  const { chain, steps, whole, createIndex, kills, onKill } = plan;
  const [expected, below] = [await digestOf(whole), numbers(plan.seed)];
  let finished = 0;
  let url = await createIndex();
  for (let kill = 1; kill <= kills; kill++) {
    const before = (await headOf(url)) ?? 0;
    const point = moments[kill % moments.length] ?? "any";
    if (point === "any") await killAfter(url, chain, below(LONGEST_RUN));
    else await killAt(url, chain, point, Math.min(steps, before + 1 + below(LONGEST_WAY)));
    const head = await requireWholeHead(url);
    if (head < before) throw new Error(`the head went back from ${before} to ${head} with kill ${kill}`);
    onKill?.(kill);
    if (head < steps && kill < kills) continue;
    if (head < steps) await runToEnd(url, chain, steps);
    await verifyIndex({ url });
    if ((await digestOf(url)) !== expected) throw new Error(`the index differs from a whole one after kill ${kill}`);
    await requireRecordsOf(chain, url);
    finished += 1;
    if (kill < kills) url = await createIndex();
  }
  return { kills, finished };
}

const start = (url: string, chain: string): IndexerProcess =>
  new IndexerProcess(url, "run", "--from-chain", chain, "--batch", "2", "--lease", "1s", "--partition-steps", "7");

async function killAt(url: string, chain: string, point: HoldPoint, step: number): Promise<void> {
  const held = await hold(url, point, step);
  const indexer = start(url, chain);
  await indexer.until(held.isReached);
  await kill(indexer);
  await held.release();
  await alone(url);
}

async function killAfter(url: string, chain: string, milliseconds: number): Promise<void> {
  const indexer = start(url, chain);
  await sleep(milliseconds);
  await kill(indexer);
  await alone(url);
}

async function kill(indexer: IndexerProcess): Promise<void> {
  const { code, stderr } = await indexer.end("SIGKILL");
  if (code !== null) throw new Error(`the indexer ended by itself with ${code}: ${stderr}`);
}

async function runToEnd(url: string, chain: string, steps: number): Promise<void> {
  const indexer = start(url, chain);
  await indexer.reached(steps);
  await indexer.end("SIGTERM");
}

/** Nothing stands above the head, and the head counts every transaction. */
async function requireWholeHead(url: string): Promise<number> {
  const { head = 0, transactionCount } = await readIndexStatus({ url });
  await inDatabase(url, async (sql) => {
    const [above] = await sql`SELECT (SELECT count(*) FROM transactions WHERE mc_seqno > ${head})
      + (SELECT count(*) FROM account_versions WHERE mc_seqno > ${head})
      + (SELECT count(*) FROM blocks WHERE mc_seqno > ${head}) AS rows`;
    if (above?.["rows"] !== "0") throw new Error(`${above?.["rows"]} rows stand above the head ${head}`);
    const [written] = await sql`SELECT count(*) AS rows FROM transactions`;
    if (written?.["rows"] !== `${transactionCount}`)
      throw new Error(`the head ${head} counts ${transactionCount} transactions, the table has ${written?.["rows"]}`);
  });
  return head;
}
