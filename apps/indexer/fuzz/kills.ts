/** Kills an indexer at random moments, and checks what it leaves. */
import { setTimeout as sleep } from "node:timers/promises";
import { readIndexStatus, verifyIndex } from "@chain-query/postgres-store";
import { IndexerProcess } from "./indexer-process.ts";
import { digestOf, headOf, inDatabase, requireRecordsOf } from "./tables.ts";

/** What is killed, and how often. */
export interface KillPlan {
  readonly chain: string;
  /** The length of the chain. */
  readonly steps: number;
  /** The URL of an index that was written without a kill. */
  readonly whole: string;
  /** Makes a database with the tables of an index. Called again when an index has all steps. */
  readonly createIndex: () => Promise<string>;
  readonly kills: number;
  readonly onKill?: (kill: number) => void;
}

/** What happened. */
export interface KillReport {
  readonly kills: number;
  /** Kills of indexers that had begun to commit. */
  readonly whileWriting: number;
  /** Kills of indexers that had not, or that waited for the lease of the one before. */
  readonly atStart: number;
  /** Indexes that have every byte of the whole one, and of the chain's own records. */
  readonly finished: number;
}

/** Milliseconds between the first commit, or the start, and the kill, at most. */
const [AFTER_COMMIT, AFTER_START] = [250, 1_000];
/** Milliseconds. */
const LONGEST_WAIT = 60_000;

/** @throws Error if a killed indexer leaves anything but whole steps. */
export async function killIndexers({ chain, steps, whole, createIndex, kills, onKill }: KillPlan): Promise<KillReport> {
  const expected = await digestOf(whole);
  let [whileWriting, finished] = [0, 0];
  let url = await createIndex();
  for (let kill = 1; kill <= kills; kill++) {
    const before = (await headOf(url)) ?? 0;
    if (await runUntilKilled(url, chain, kill % 4 === 0)) whileWriting += 1;
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
  return { kills, whileWriting, atStart: kills - whileWriting, finished };
}

const start = (url: string, chain: string): IndexerProcess =>
  new IndexerProcess(url, "run", "--from-chain", chain, "--batch", "2", "--lease", "1s", "--partition-steps", "7");

/** Returns whether a commit was seen before the kill. */
async function runUntilKilled(url: string, chain: string, atStart: boolean): Promise<boolean> {
  const before = await headOf(url);
  const indexer = start(url, chain);
  if (atStart) await sleep(Math.random() * AFTER_START);
  else {
    await until(indexer, async () => (await headOf(url)) !== before);
    await sleep(Math.random() * AFTER_COMMIT);
  }
  const { code, stderr } = await indexer.end("SIGKILL");
  if (code !== null) throw new Error(`the indexer ended by itself with ${code}: ${stderr}`);
  return (await headOf(url)) !== before;
}

async function runToEnd(url: string, chain: string, steps: number): Promise<void> {
  const indexer = start(url, chain);
  await until(indexer, async () => (await headOf(url)) === steps);
  await indexer.end("SIGTERM");
}

async function until(indexer: IndexerProcess, isReached: () => Promise<boolean>): Promise<void> {
  const giveUp = Date.now() + LONGEST_WAIT;
  while (!(await isReached())) {
    if (Date.now() > giveUp) throw new Error(`nothing was written: ${indexer.stderr}`);
    await sleep(5);
  }
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
