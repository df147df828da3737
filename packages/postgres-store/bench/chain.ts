import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Step, StepAccount, StepGenesis } from "@chain-query/chain-store";
import { chainSteps, createChain, openProducer } from "@chain-query/local-chain";

/** Steps of a local chain in memory. */
export interface BenchChain {
  readonly genesis: StepGenesis;
  readonly steps: readonly Step[];
  readonly transactions: number;
}

/** A chain of real contracts, with some hundred transactions in a step. */
export async function benchChain(steps: number): Promise<BenchChain> {
  const folder = mkdtempSync(join(tmpdir(), "chain-query-bench-"));
  try {
    await createChain(folder, { seed: 1 });
    const producer = await openProducer(folder);
    for (let made = 0; made < steps; made += 10) await producer.steps(Array.from({ length: 10 }, () => ({ rate: 50 })));
    await producer.close();
    const source = chainSteps(folder);
    const genesis = await source.genesis();
    const accounts: StepAccount[] = [];
    for await (const account of genesis.accounts()) accounts.push(account);
    const all: Step[] = [];
    const range = { from: 1, to: await source.newest() };
    for await (const step of source.steps(range, new AbortController().signal)) all.push(step);
    await source.close();
    const transactions = all.reduce((sum, step) => sum + transactionsOf(step), 0);
    return { genesis: { ...genesis, accounts: () => iterated(accounts) }, steps: all, transactions };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function transactionsOf({ masterchain, shards }: Step): number {
  return [masterchain, ...shards].reduce((sum, { transactions }) => sum + transactions.length, 0);
}

async function* iterated(accounts: readonly StepAccount[]): AsyncGenerator<StepAccount> {
  yield* accounts;
}
