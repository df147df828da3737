import { writeBoc } from "@chain-query/format/cells";
import type { AccountCommit, ProducerState } from "../store/commit.ts";
import {
  CONFIG_KEY,
  COUNTERS_KEY,
  encodeJson,
  encodeShard,
  savedShardKey,
  type TrafficCounters,
} from "../store/producer-state.ts";
import { createStore } from "../store/store.ts";
import { genesisShardAccount } from "./accounts.ts";
import { type ChainOptions, chainOptions, storedOptions } from "./options.ts";
import { createPopulation } from "./population.ts";
import { type GenesisStates, type ShardGenesis, zeroStates } from "./zero-states.ts";

/**
 * Creates a chain in a folder: its zero states with their accounts. The same options give the same bytes on any machine.
 *
 * @param directory - A folder that does not exist yet, or is empty.
 * @param given - The seed, and options that differ from the defaults.
 * @throws ChainOptionError if an option is not accepted.
 * @throws ChainStoreError if the folder is not empty or cannot be written.
 *
 * @example
 * await createChain("my-chain", { seed: 1, accounts: 500, shards: 2 });
 */
export async function createChain(
  directory: string,
  given: { readonly seed: number | bigint } & Partial<Omit<ChainOptions, "seed">>,
): Promise<void> {
  const options = chainOptions(given);
  const genesis = zeroStates(createPopulation(options.seed), options);
  await createStore(directory, {
    options: storedOptions(options),
    time: options.startTime,
    retentionSeconds: options.retentionSeconds,
    masterchain: genesis.masterchain.zero,
    shards: genesis.shards.map(({ zero }) => zero),
    accounts: accountCommits([...genesis.shards, genesis.masterchain]),
    producer: initialState(genesis),
  });
}

function* accountCommits(shards: readonly ShardGenesis[]): Generator<AccountCommit, void, undefined> {
  for (const { accounts } of shards) {
    for (const account of accounts) yield { account: account.id, shardAccount: genesisShardAccount(account) };
  }
}

/** The producer's state before the first step. */
function initialState({ config, masterchain, shards }: GenesisStates): ProducerState {
  const counters: TrafficCounters = { messages: 0, wallets: 0, strangers: 0 };
  const put = new Map([
    [COUNTERS_KEY, encodeJson(counters)],
    [CONFIG_KEY, writeBoc(config)],
  ]);
  for (const { state, zero } of [...shards, masterchain]) {
    const { seqno, rootHash, fileHash } = zero.id;
    const tip = { id: zero.id, ref: { endLt: 0n, seqno, rootHash, fileHash }, time: state.time };
    put.set(savedShardKey(state.shard), encodeShard({ state, tip }));
  }
  return { put };
}
