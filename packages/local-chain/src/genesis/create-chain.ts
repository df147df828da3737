import { recordsOfGenesis } from "../production/records.ts";
import type { AccountCommit } from "../store/commit.ts";
import { createStore } from "../store/create-store.ts";
import { genesisShardAccount } from "./account-cell.ts";
import { type ChainOptions, chainOptions, storedOptions } from "./options.ts";
import { population } from "./population.ts";
import { type ShardOrigin, zeroStates } from "./zero-states.ts";

/**
 * Makes a chain in a folder: its zero states, and the accounts in them. The same options give the same bytes on any machine.
 *
 * @param directory - A folder that does not exist yet, or is empty.
 * @param given - The seed, and whatever is not to be as usual.
 * @throws ChainOptionError where an option is not accepted.
 * @throws ChainStoreError where the folder holds something, or cannot be written.
 *
 * @example
 * await createChain("my-chain", { seed: 1, accounts: 500, shards: 2 });
 */
export async function createChain(
  directory: string,
  given: { readonly seed: number | bigint } & Partial<Omit<ChainOptions, "seed">>,
): Promise<void> {
  const options = chainOptions(given);
  const origin = zeroStates(population(options.seed), options);
  await createStore(directory, {
    options: storedOptions(options),
    time: options.startTime,
    retentionSeconds: options.retentionSeconds,
    masterchain: origin.masterchain.zero,
    shards: origin.shards.map(({ zero }) => zero),
    accounts: accountCommits([...origin.shards, origin.masterchain]),
    producer: recordsOfGenesis(origin),
  });
}

function* accountCommits(shards: readonly ShardOrigin[]): Generator<AccountCommit, void, undefined> {
  for (const { accounts } of shards) {
    for (const account of accounts) yield { account: account.id, shardAccount: genesisShardAccount(account) };
  }
}
