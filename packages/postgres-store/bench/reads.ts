/** CPU time of a page of ten transactions: from LMDB, and from PostgreSQL in several ways. Ratios hold on a busy machine, rates do not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AccountId } from "@chain-query/format/store";
import { chainSteps, createChain, type LocalChain, openChain, openProducer } from "@chain-query/local-chain";
import { migrate, openPostgresReader, openPostgresWriter, type PostgresReader } from "@chain-query/postgres-store";
import { startPostgres } from "@chain-query/testing/services";
import { type Cost, costOf, costOfEach, cpuOf, medianCost } from "./cost.ts";

const STEPS = 60;
const PAGE = 10;
const PAGES = 6_000;
const ROUNDS = 3;
const [LMDB, PIPED, POOLED] = ["LMDB in the process", "2 connections, 32 in flight", "8 connections, one in flight on each"];

export async function benchReads(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "chain-query-reads-"));
  try {
    await createChain(folder, { seed: 1, accounts: 300 });
    const producer = await openProducer(folder);
    await producer.steps(Array.from({ length: STEPS }, () => ({ rate: 50 })));
    await producer.close();
    const chain = openChain(folder);
    await measure(folder, chain);
    await chain.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(folder: string, chain: LocalChain): Promise<void> {
  await using server = await startPostgres({ settings: { shared_buffers: "256MB" } });
  const url = await server.createDatabase();
  const accounts = await index(folder, url, chain);
  const at = chain.head().block.id.seqno;
  const page = (reader: PostgresReader, account: AccountId) => reader.transactions(account, { aboveLt: 0n }, PAGE, at);
  const piped = openPostgresReader({ url });
  const pooled = openPostgresReader({ url, connections: 8 });
  const ways: Readonly<Record<string, () => Promise<Cost>>> = {
    [LMDB]: () => costOfPages(1, accounts, 0, async (account) => void firstOf(chain, account)),
    [PIPED]: () => costOfPages(32, accounts, server.pid, (account) => page(piped, account)),
    "the same with the head before each": () =>
      costOfPages(32, accounts, server.pid, async (account) => {
        await piped.head();
        await page(piped, account);
      }),
    [POOLED]: () => costOfPages(8, accounts, server.pid, (account) => page(pooled, account)),
    "one in flight": () => costOfPages(1, accounts, server.pid, (account) => page(piped, account)),
  };
  const costs = new Map<string, Cost[]>(Object.keys(ways).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, run] of Object.entries(ways)) {
      const cost = await run();
      // The first round warms up.
      if (round > 0) costs.get(name)?.push(cost);
    }
  await Promise.all([piped.close(), pooled.close()]);
  print(costs);
}

function print(costs: ReadonlyMap<string, readonly Cost[]>): void {
  const of = (name: string): Cost => medianCost(costs.get(name) ?? []);
  console.log(`a page of ${PAGE} transactions, µs of CPU, medians of ${ROUNDS} rounds of ${PAGES} pages\n`);
  for (const name of costs.keys()) {
    const { node, server } = of(name);
    console.log(`${name.padEnd(46)} Node ${node.toFixed(0).padStart(5)}   PostgreSQL ${server.toFixed(0).padStart(5)}`);
  }
  const ratio = (what: string, value: number, goal = ""): void =>
    console.log(`${what.padEnd(46)} ${value.toFixed(2).padStart(10)}${goal && `   goal ≤ ${goal}`}`);
  console.log("");
  ratio("PostgreSQL : LMDB, both processes", cpuOf(of(PIPED)) / cpuOf(of(LMDB)), "7");
  ratio("PostgreSQL : LMDB, Node alone", of(PIPED).node / of(LMDB).node, "3.5");
  ratio("pipelined : pooled", cpuOf(of(PIPED)) / cpuOf(of(POOLED)));
}

/** Indexes the chain, and returns the accounts with at least a page of transactions. */
async function index(folder: string, url: string, chain: LocalChain): Promise<AccountId[]> {
  await migrate({ url });
  const [source, writer] = [chainSteps(folder), await openPostgresWriter({ url })];
  const found = new Map<string, AccountId>();
  await writer.begin(await source.genesis());
  for await (const step of source.steps({ from: 1, to: await source.newest() }, new AbortController().signal)) {
    await writer.write([step]);
    for (const { account } of step.accounts) found.set(Buffer.from(account.hash).toString("hex"), account);
  }
  await Promise.all([source.close(), writer.close()]);
  return [...found.values()].filter((account) => firstOf(chain, account) === PAGE);
}

function firstOf(chain: LocalChain, account: AccountId): number {
  let count = 0;
  for (const _ of chain.transactions(account)) {
    count += 1;
    if (count === PAGE) break;
  }
  return count;
}

async function costOfPages(
  inFlight: number,
  accounts: readonly AccountId[],
  server: number,
  read: (account: AccountId) => Promise<unknown>,
): Promise<Cost> {
  let next = 0;
  const reader = async (): Promise<void> => {
    while (next < PAGES) {
      const account = accounts[next++ % accounts.length];
      if (account !== undefined) await read(account);
    }
  };
  const cost = await costOf(server, () => Promise.all(Array.from({ length: inFlight }, reader)));
  return costOfEach(cost, PAGES);
}
