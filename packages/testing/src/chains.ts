/** Options of local chains that tests of several packages share, so that each chain and its index are made once. */

/** A small chain of executed contracts. */
export const SMALL = { seed: 5, accounts: 20, shards: 2, rate: 5, steps: 12 } as const;
/** One step a day, so that most are older than the retention of the chain. */
export const DAYS = { seed: 4, accounts: 20, shards: 2, rate: 10, steps: 24, blockInterval: 86_400 } as const;
/**
 * A shard splits, or two merge, every second step, while messages wait in small blocks. Accounts change their code, publish libraries, are
 * deleted and made again. One step a day: most are older than the retention.
 */
export const RESHARDED = {
  seed: 3,
  accounts: 60,
  rate: 24,
  shards: 1,
  transactionLimit: 12,
  blockInterval: 86_400,
  resharding: 2,
  puppets: 25,
  steps: 36,
} as const;
/** The same with none to three blocks of a shard in a step, key blocks and burned fees. */
export const UNEVEN = {
  seed: 3,
  accounts: 60,
  rate: 24,
  shards: 1,
  transactionLimit: 12,
  resharding: 2,
  shardBlocks: "uneven",
  keyBlocks: 7,
  burnedFees: 20,
  steps: 24,
} as const;
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
