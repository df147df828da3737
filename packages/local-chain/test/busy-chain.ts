import type { Step } from "@chain-query/format/store";
import { chainSteps } from "../src/index.ts";
import { collected } from "./reading/step-records.ts";

/** A step a day, so that accounts freeze and leave; full blocks, so that queues are long; shards that split and merge. */
export const BUSY = {
  seed: 3,
  accounts: 100,
  rate: 60,
  blockInterval: 86_400,
  shards: 2,
  transactionLimit: 60,
  resharding: 2,
} as const;

/** Steps after which it had every kind of transaction. */
export const BUSY_STEPS = 28;

/** Options of a chain with several blocks a second, so that look-ups by time find more than one, and with shorter blocks. */
export const FAST = { seed: 5, accounts: 60, rate: 40, blockInterval: 0.4, shards: 4, transactionLimit: 20 } as const;

/** All steps of a chain but the zero states. */
export async function stepsOf(directory: string): Promise<readonly Step[]> {
  const source = chainSteps(directory);
  const steps = await collected(source.steps({ from: 1, to: await source.newest() }, new AbortController().signal));
  await source.close();
  return steps;
}
