/** Kills and stops indexers at points that follow from a seed, and checks their index. */
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { readIndexStatus, verifyIndex } from "@chain-query/postgres-store";
import { inDatabase } from "@chain-query/testing/services";
import { alone, type HoldPoint, hold } from "./holds.ts";
import { IndexerProcess } from "./indexer-process.ts";
import { digestOf, headOf, requireRecordsOf } from "./indexes.ts";

interface FaultPlan {
  readonly chain: string;
  /** The length of the chain. */
  readonly steps: number;
  /** The URL of an index that was written without a fault. */
  readonly whole: string;
  /** Makes a database with the tables of an index and with holds. */
  readonly createIndex: () => Promise<string>;
  readonly seed: number;
}

interface KillPlan extends FaultPlan {
  readonly kills: number;
}

/** The result of `killIndexers`. */
interface KillReport {
  readonly kills: number;
  /** Complete indexes, which had every byte of `whole` and of the records of the chain. */
  readonly finished: number;
}

/** Points of the kills, in rotation: held at a step, or after a time. */
const killPoints: readonly (HoldPoint | "any")[] = ["rows", "head", "any"];
/** Maximum number of steps and of milliseconds before a kill. */
const [MAX_STEPS, MAX_RUN] = [8, 1_500];

/** Kills an indexer at points that follow from a seed. @throws Error if it leaves an incomplete step. */
export async function killIndexers(plan: KillPlan): Promise<KillReport> {
  const { chain, steps, whole, createIndex, kills } = plan;
  const [expected, below] = [await digestOf(whole), numbers(plan.seed)];
  let finished = 0;
  let url = await createIndex();
  for (let kill = 1; kill <= kills; kill++) {
    const before = (await headOf(url)) ?? 0;
    const point = killPoints[kill % killPoints.length] ?? "any";
    if (point === "any") await killAfter(url, chain, below(MAX_RUN));
    else await killAt(url, point, Math.min(steps, before + 1 + below(MAX_STEPS)), () => startWriter(url, chain));
    const head = await requireWholeHead(url);
    if (head < before) throw new Error(`the head went back from ${before} to ${head} with kill ${kill}`);
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

const startWriter = (url: string, chain: string): IndexerProcess =>
  new IndexerProcess(url, "run", "--from-chain", chain, "--batch", "2", "--lease", "1s", "--partition-steps", "7");

/**
 * Kills an indexer right before it commits each of some steps; the next process begins there.
 *
 * @param at - Steps, in order.
 * @throws Error if a process leaves an incomplete step, or if the index differs from `whole`.
 */
export async function killBefore(
  { chain, steps, whole, createIndex }: Omit<FaultPlan, "seed">,
  at: readonly number[],
): Promise<void> {
  const expected = await digestOf(whole);
  const url = await createIndex();
  for (const step of at) {
    await killAt(url, "rows", step, () => new IndexerProcess(url, "run", "--from-chain", chain, "--batch", "1"));
    const head = await headOf(url);
    if (head !== step - 1) throw new Error(`the head must be ${step - 1} after a kill before step ${step}, got ${head}`);
    // The lease of the killed process would expire after 20 seconds.
    await inDatabase(url, (sql) => sql`DELETE FROM indexer_lease`);
  }
  await runToEnd(url, chain, steps);
  await verifyIndex({ url });
  if ((await digestOf(url)) !== expected) throw new Error("the index of killed indexers differs from a whole one");
  await requireRecordsOf(chain, url);
}

async function killAt(url: string, point: HoldPoint, step: number, startHeld: () => IndexerProcess): Promise<void> {
  const held = await hold(url, point, step);
  const indexer = startHeld();
  await indexer.until(held.isReached);
  await kill(indexer);
  await held.release();
  await alone(url);
}

async function killAfter(url: string, chain: string, milliseconds: number): Promise<void> {
  const indexer = startWriter(url, chain);
  await sleep(milliseconds);
  await kill(indexer);
  await alone(url);
}

async function kill(indexer: IndexerProcess): Promise<void> {
  const { code, stderr } = await indexer.end("SIGKILL");
  if (code !== null) throw new Error(`the indexer ended unexpectedly with ${code}: ${stderr}`);
}

async function runToEnd(url: string, chain: string, steps: number): Promise<void> {
  const indexer = startWriter(url, chain);
  await indexer.reached(steps);
  await indexer.end("SIGTERM");
}

/** @throws Error if there are rows above the head, or if the head counts another number of transactions. */
async function requireWholeHead(url: string): Promise<number> {
  const { head = 0, transactionCount } = await readIndexStatus({ url });
  await inDatabase(url, async (sql) => {
    const [above] = await sql`SELECT (SELECT count(*) FROM transactions WHERE mc_seqno > ${head})
      + (SELECT count(*) FROM account_versions WHERE mc_seqno > ${head})
      + (SELECT count(*) FROM blocks WHERE mc_seqno > ${head}) AS rows`;
    if (above?.["rows"] !== "0") throw new Error(`${above?.["rows"]} rows are above the head ${head}`);
    const [written] = await sql`SELECT count(*) AS rows FROM transactions`;
    if (written?.["rows"] !== `${transactionCount}`)
      throw new Error(`the head ${head} counts ${transactionCount} transactions, the table has ${written?.["rows"]}`);
  });
  return head;
}

interface StopPlan extends FaultPlan {
  readonly stops: number;
  /** Of the indexers; default: 4s. */
  readonly lease?: string;
}

/** The result of `stopLeaders`. */
interface StopReport {
  readonly stops: number;
  /** Milliseconds from the stop to the first commit of the other indexer. */
  readonly takeovers: readonly number[];
}

/**
 * Stops the indexer that has the lease, like a suspended machine, until another one has taken over, and continues it.
 *
 * @throws Error if the index differs from `whole`, or if no indexer takes over.
 */
export async function stopLeaders({
  chain,
  steps,
  whole,
  createIndex,
  stops,
  seed,
  lease = "4s",
}: StopPlan): Promise<StopReport> {
  const [expected, below] = [await digestOf(whole), numbers(seed)];
  const takeovers: number[] = [];
  for (let stop = 1; stop <= stops; stop++) {
    const url = await createIndex();
    takeovers.push(await stopLeader({ url, chain, steps, lease, at: 1 + below(steps - 2) }));
    await verifyIndex({ url });
    if ((await digestOf(url)) !== expected) throw new Error(`the index differs from a whole one after stop ${stop}`);
    await requireRecordsOf(chain, url);
  }
  return { stops, takeovers };
}

interface Stop extends Required<Pick<StopPlan, "chain" | "steps" | "lease">> {
  readonly url: string;
  /** The step at which the first indexer is stopped, when it moves the head there. */
  readonly at: number;
}

async function stopLeader({ url, chain, steps, lease, at }: Stop): Promise<number> {
  const start = (): IndexerProcess => new IndexerProcess(url, "run", "--from-chain", chain, "--batch", "1", "--lease", lease);
  await using held = await hold(url, "head", at);
  const first = start();
  const pair = [first];
  try {
    await first.until(held.isReached);
    const second = start();
    pair.push(second);
    await second.until(() => second.phases.includes("standby"));
    first.signal("SIGSTOP");
    const stoppedAt = performance.now();
    await held.release();
    await second.reached(at + 1);
    const takeover = performance.now() - stoppedAt;
    first.signal("SIGCONT");
    await first.until(() => first.phases.includes("standby"));
    await second.reached(steps);
    // The first indexer then takes the lease at once.
    await second.end("SIGTERM");
    await first.until(() => first.phases.at(-1) === "following");
    return takeover;
  } finally {
    await Promise.all(pair.map((indexer) => indexer.end("SIGKILL")));
  }
}

/** Returns a generator of whole numbers from 0 to below a limit, which follow from a seed. */
function numbers(seed: number): (limit: number) => number {
  let count = 0;
  return (limit) => createHash("sha256").update(`${seed}/${count++}`).digest().readUInt32BE() % limit;
}
