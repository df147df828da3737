/**
 * `pnpm bench keep-up`: how many lite servers an indexer needs to keep up with a network, beside the calculation of the guide Scale out. The
 * network has the guide's figures: 2.5 steps and 100 transactions a second, four shards at first.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { LiteChain } from "@chain-query/lite-server";
import { liteChain, openChain } from "@chain-query/local-chain";
import { madeChain } from "@chain-query/local-chain/testing";
import { migrate, readIndexStatus } from "@chain-query/postgres-store";
import { inDatabase, type PostgresServer, startPostgres } from "@chain-query/testing/services";
import { IndexerProcess } from "../fuzz/indexer-process.ts";
import { headIn } from "../fuzz/indexes.ts";
import { revealSteps, startRevealedServers } from "./revealed-servers.ts";

/** Milliseconds from a step to the next. */
const INTERVAL = 400;
/** The newest step when an indexer starts. A backfill adds those before it. */
const FIRST = 60;
/** Steps until an indexer has begun, at most. It begins at the newest of them, so that all its steps are in the rows. */
const START = 40;
/** About 40 transactions a step. */
const CHAIN = {
  seed: 26,
  accounts: 2_000,
  rate: 20,
  puppets: 5,
  shards: 4,
  resharding: 40,
  shardBlocks: "uneven",
  keyBlocks: 50,
  blockInterval: 1,
} as const;
/** Servers, and queries a second to each. */
const ROWS = [
  [1, 20],
  [1, 40],
  [2, 40],
  [3, 40],
  [4, 40],
] as const;
/** Parts of a row of the same length. In the first one, most accounts change for the first time since the index has begun. */
const PARTS = ["first", "later"] as const;
/**
 * The network of the guide: blocks and changed accounts of a step, and the part of the accounts that real blocks do not show. An index that
 * begins today asks for the state before the first change of each account, which then shows its later states.
 */
const NETWORK = { blocks: 5, accounts: 35, hidden: 5 / 17 } as const;
/** Queries by their purpose. The others come with the start. */
const PURPOSES = {
  head: ["getMasterchainInfoExt", "getBlockHeader", "lookupBlockWithProof"],
  blocks: ["getBlock"],
  accounts: ["getAccountState"],
  queues: ["getAllShardsInfo", "getBlockOutMsgQueueSize"],
} as const;

const { values } = parseArgs({ options: { seconds: { type: "string", default: "20" } } });
const seconds = Number(values.seconds);
if (!(seconds >= 5 && seconds <= 600)) {
  console.error(`--seconds: expected a number from 5 to 600, got ${values.seconds}`);
  process.exit(2);
}
const steps = FIRST + START + Math.ceil((PARTS.length * seconds * 1000) / INTERVAL);
const folder = mkdtempSync(join(tmpdir(), "chain-query-keep-up-"));
try {
  const start = performance.now();
  const chain = openChain(await madeChain({ ...CHAIN, steps }));
  console.log(`a chain of ${steps} steps, made in ${((performance.now() - start) / 1000).toFixed(0)} s\n`);
  await using database = await startPostgres();
  const purposes = Object.keys(PURPOSES);
  printRow("servers", "queries/s", "seconds", "blocks", "accounts", "queries", ...purposes, "steps/s", "expected", "behind");
  printRow("", "to each", `${seconds}`, "a step", "a step", "a step", ...purposes.map(() => ""), "", "", "by steps");
  const rows: Row[] = [];
  for (const [servers, rate] of ROWS) rows.push(await keepUp(database, liteChain(chain), servers, rate));
  const url = rows.at(-1)?.url ?? "";
  const backfill = await extend(url, liteChain(chain));
  await chain.close();
  printNetwork(rows, backfill);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** An index, and its queries for each step beside those for blocks and accounts. */
interface Row {
  readonly servers: number;
  readonly rate: number;
  readonly others: number;
  readonly url: string;
}

/** Follows the chain, and prints a row for each part. */
async function keepUp(database: PostgresServer, chain: LiteChain, count: number, rate: number): Promise<Row> {
  const url = await database.createDatabase();
  await migrate({ url });
  const newestStep = revealSteps({ from: FIRST, to: steps, interval: INTERVAL });
  await using servers = await startRevealedServers(chain, newestStep, count);
  const indexer = new IndexerProcess(url, "run", ...lite(servers.config, rate), "--start", "newest");
  await indexer.reached(FIRST);
  let others = 0;
  for (const part of PARTS) {
    const [from, before] = [await headOf(url), servers.received()];
    await sleep(seconds * 1000);
    const [to, newest, received] = [await headOf(url), newestStep(), servers.received()];
    if (newest >= steps) throw new Error(`the indexer took more than ${START} steps to start`);
    const queries = used(before, received);
    // A slow one has written no step.
    const written = Math.max(1, to - from);
    const needed = queries.total / written;
    const expected = Math.min(1000 / INTERVAL, (count * rate) / needed);
    const { blocks, accounts } = await rowsOf(url, from + 1, to);
    const counts = [blocks, accounts, queries.total, ...queries.byPurpose].map((all) => (all / written).toFixed(1));
    const speed = ((to - from) / seconds).toFixed(2);
    printRow(`${count}`, `${rate}`, part, ...counts, speed, expected.toFixed(2), `${newest - to}`);
    others = queries.others / written;
  }
  await indexer.end("SIGINT");
  return { servers: count, rate, others, url };
}

/** Adds the steps before the first one of an index, and prints a row. Returns the queries for each step beside those for blocks and accounts. */
async function extend(url: string, chain: LiteChain): Promise<number> {
  await using servers = await startRevealedServers(chain, () => steps, 1);
  const { firstSeqno } = await readIndexStatus({ url });
  const args = ["backfill", "--back-to", "2", ...lite(servers.config, 10_000)];
  const start = performance.now();
  const { code, stderr } = await new IndexerProcess(url, ...args).ended();
  if (code !== 0) throw new Error(stderr);
  const added = firstSeqno - 2;
  const { total, others, byPurpose } = used(new Map(), servers.received());
  const { blocks, accounts } = await rowsOf(url, 2, firstSeqno - 1);
  const counts = [blocks, accounts, total, ...byPurpose].map((all) => (all / added).toFixed(1));
  printRow("backfill", "no limit", "all", ...counts, ((added * 1000) / (performance.now() - start)).toFixed(2));
  return others / added;
}

/** Calculates the tables of the guide from the measured queries. */
function printNetwork(rows: readonly Row[], backfill: number): void {
  const { blocks, accounts, hidden } = NETWORK;
  console.log(
    `\nA network with ${blocks} blocks and ${accounts} changed accounts a step, if no account takes a query, if 5 of 17 do, and if all do:`,
  );
  printRow("servers", "queries/s", "needed", "", "", "backfill", "", "");
  printRow("", "to each", "a second", "", "", "of a day", "", "");
  // Below this rate, an indexer is behind, and has more queries for the newest block for each step that it writes.
  for (const { servers, rate, others } of rows.filter((row) => row.rate === 40)) {
    const cells = [0, accounts * hidden, accounts].map((asked) => {
      const needed = (1000 / INTERVAL) * (others + blocks + asked);
      const spare = servers * rate - needed;
      const day = (86_400_000 / INTERVAL) * (backfill + blocks + asked);
      return { needed: needed.toFixed(0), hours: spare > 0 ? `${(day / spare / 3600).toFixed(1)} h` : "never" };
    });
    printRow(`${servers}`, `${rate}`, ...cells.map(({ needed }) => needed), ...cells.map(({ hours }) => hours));
  }
}

function lite(config: string, rate: number): string[] {
  const file = join(folder, "global.config.json");
  writeFileSync(file, config);
  return ["--from-lite-servers", file, "--lite-rate", `${rate}`];
}

async function headOf(url: string): Promise<number> {
  return inDatabase(url, async (sql) => (await headIn(sql)) ?? 0);
}

/** The number of blocks and of changed accounts of steps. */
async function rowsOf(url: string, from: number, to: number): Promise<{ readonly blocks: number; readonly accounts: number }> {
  return inDatabase(url, async (sql) => {
    const [row] = await sql<{ blocks: number; accounts: number }[]>`
      SELECT (SELECT count(*)::int FROM blocks WHERE mc_seqno BETWEEN ${from} AND ${to}) AS blocks,
             (SELECT count(*)::int FROM account_versions WHERE mc_seqno BETWEEN ${from} AND ${to}) AS accounts`;
    return row ?? { blocks: 0, accounts: 0 };
  });
}

/** The queries between two counts, also by purpose. */
function used(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) {
  const countOf = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const sum = (names: Iterable<string>): number => Array.from(names, countOf).reduce((all, one) => all + one, 0);
  const { blocks, accounts } = PURPOSES;
  const total = sum(after.keys());
  return { total, others: total - sum([...blocks, ...accounts]), byPurpose: Object.values(PURPOSES).map(sum) };
}

function printRow(...cells: readonly string[]): void {
  console.log(cells.map((cell) => cell.padStart(10)).join(""));
}
