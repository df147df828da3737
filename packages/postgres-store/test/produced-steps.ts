import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Step, StepAccount, StepGenesis, StepSource } from "@chain-query/chain-store";
import { chainSteps, createChain, openProducer } from "@chain-query/local-chain";

/** A local chain's steps in memory, which several tests write. */
export interface ProducedSteps {
  readonly genesis: StepGenesis;
  readonly steps: readonly Step[];
}

/** One step a day, so that accounts freeze and are deleted. */
const OPTIONS = { seed: 3, accounts: 100, rate: 60, blockInterval: 86_400, shards: 4, transactionLimit: 60 } as const;

export async function producedSteps(count: number, seed: number = OPTIONS.seed): Promise<ProducedSteps> {
  const folder = mkdtempSync(join(tmpdir(), "chain-query-steps-"));
  try {
    await createChain(folder, { ...OPTIONS, seed });
    const producer = await openProducer(folder);
    await producer.steps(Array.from({ length: count }, () => ({})));
    await producer.close();
    return await stepsOf(chainSteps(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function stepsOf(source: StepSource): Promise<ProducedSteps> {
  const genesis = await source.genesis();
  const accounts = await collected(genesis.accounts());
  const steps = await collected(source.steps({ from: 1, to: await source.newest() }, new AbortController().signal));
  await source.close();
  return { genesis: { ...genesis, accounts: () => iterated(accounts) }, steps };
}

async function* iterated(accounts: readonly StepAccount[]): AsyncGenerator<StepAccount> {
  yield* accounts;
}

async function collected<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}
