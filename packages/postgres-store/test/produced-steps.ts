import { basename } from "node:path";
import { type AccountId, accountKey, type Step, type StepAccount, type StepGenesis } from "@chain-query/chain-store";
import { chainSteps } from "@chain-query/local-chain";
import { type MadeChainOptions, madeChain } from "@chain-query/local-chain/testing";

/** A local chain's steps in memory, which several tests write. */
export interface ProducedSteps {
  /** Of chains with other options, another one. */
  readonly name: string;
  readonly genesis: StepGenesis;
  readonly steps: readonly Step[];
}

/** One step a day: accounts freeze and are deleted. Small blocks in four shards: messages wait. */
export const FROZEN = {
  seed: 3,
  accounts: 60,
  rate: 60,
  blockInterval: 86_400,
  shards: 4,
  transactionLimit: 30,
  steps: 24,
} as const;
/** The same with fewer transactions. */
export const DAYS = { seed: 4, accounts: 20, shards: 2, rate: 10, steps: 24, blockInterval: 86_400 } as const;
/** Another chain. */
export const SMALL = { seed: 5, accounts: 20, shards: 2, rate: 5, steps: 12 } as const;

export async function producedSteps(options: MadeChainOptions = DAYS): Promise<ProducedSteps> {
  const folder = await madeChain(options);
  const source = chainSteps(folder);
  const genesis = await source.genesis();
  const accounts = await collected(genesis.accounts());
  const steps = await collected(source.steps({ from: 1, to: options.steps }, new AbortController().signal));
  await source.close();
  return { name: basename(folder).slice(0, 20), genesis: { ...genesis, accounts: () => iterated(accounts) }, steps };
}

export function firstSteps(chain: ProducedSteps, count: number): ProducedSteps {
  return { ...chain, steps: chain.steps.slice(0, count) };
}

async function* iterated(accounts: readonly StepAccount[]): AsyncGenerator<StepAccount> {
  yield* accounts;
}

export async function collected<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** Every account of the zero state and of the steps. */
export async function accountsOf({ genesis, steps }: ProducedSteps): Promise<AccountId[]> {
  const all = [...(await collected(genesis.accounts())), ...steps.flatMap(({ accounts }) => accounts)];
  return [...new Map(all.map(({ account }) => [accountKey(account).toString("hex"), account])).values()];
}
