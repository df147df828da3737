import { readShardAccount, SHARD_ACCOUNTS, type ShardAccount } from "@chain-query/format/accounts";
import { type Cell, writeBoc } from "@chain-query/format/cells";
import { addCurrencies, type Currencies, NO_CURRENCIES } from "@chain-query/format/currencies";
import { Trie } from "@chain-query/format/dictionaries";
import { containsAccount, MASTERCHAIN, type ShardId } from "@chain-query/format/identifiers";
import {
  encodeZeroState,
  type MasterchainExtra,
  MESSAGE_QUEUE,
  PAST_BLOCKS,
  type ShardDescription,
  type ShardState,
} from "@chain-query/format/states";
import type { AccountCommit, ProducerState, ZeroState } from "../store/commit.ts";
import {
  CONFIG_KEY,
  COUNTERS_KEY,
  encodeJson,
  encodeShard,
  savedShardKey,
  type TrafficCounters,
} from "../store/producer-state.ts";
import { createStore } from "../store/store.ts";
import { configAccount, type GenesisAccount, genesisAccounts, genesisShardAccount } from "./accounts.ts";
import { CONFIG_ACCOUNT, configuration, GLOBAL_ID, suspendedParameter } from "./configuration.ts";
import { type ChainOptions, chainOptions, reshardingTimings, storedOptions } from "./options.ts";
import { createPopulation, type Population } from "./population.ts";
import { validatorParameters } from "./validators.ts";

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

/** A shard at genesis. */
interface ShardGenesis {
  /** Without the cells of the accounts, which need much memory: they are rebuilt on demand. */
  readonly state: Omit<ShardState, "accounts">;
  /** The sum of the balances. */
  readonly value: Currencies;
  readonly zero: ZeroState;
  readonly accounts: readonly GenesisAccount[];
}

/** The zero states of a chain. */
interface GenesisStates {
  readonly config: Cell;
  readonly masterchain: ShardGenesis;
  /** By rising prefix. */
  readonly shards: readonly ShardGenesis[];
}

/** The shards of a basechain in 1, 2, 4 or 8 parts, in the order of their prefixes. */
function basechainShards(count: number): readonly ShardId[] {
  const half = 2n ** 63n / BigInt(count);
  return Array.from({ length: count }, (_, i) => ({
    workchain: 0,
    shard: BigInt.asIntN(64, BigInt(2 * i + 1) * half),
  }));
}

function zeroStates(population: Population, options: ChainOptions): GenesisStates {
  const accounts = Array.from(genesisAccounts(population, options));
  const shards = basechainShards(options.shards).map((shard) => shardGenesis(shard, accounts, options.startTime));
  const first = shards[0] as (typeof shards)[0];
  const timings = options.resharding === "none" ? undefined : reshardingTimings(options);
  const basechain = { zero: first.zero.id, shards: timings ?? options.shards };
  const config = configuration(
    basechain,
    options.startTime,
    [population.clock.id.hash, CONFIG_ACCOUNT.hash],
    options.burnedFees,
    [...validatorParameters(options, 0), ...suspension(population, options)],
  );
  const extra = masterchainExtra(config, shards, options.startTime);
  const masterchain = shardGenesis(MASTERCHAIN, [...accounts, configAccount(config, options)], options.startTime, extra);
  return { config, masterchain, shards };
}

/** Wallets that the configuration may suspend. */
const SUSPENDED_WALLETS = 16;

/** The accounts that the configuration suspends: wallets, which have a contract already, and accounts that never get one. */
function suspension(population: Population, { accounts, startTime, suspended }: ChainOptions) {
  if (suspended === 0) return [];
  const wallets = Array.from({ length: Math.min(accounts, SUSPENDED_WALLETS) }, (_, i) => population.wallet(i).id);
  return [suspendedParameter([...wallets, ...population.uninitialized], startTime + suspended)];
}

/** A state without accounts and history. */
function emptyState(shard: ShardId, time: number): Omit<ShardState, "accounts"> {
  return {
    globalId: GLOBAL_ID,
    shard,
    seqno: 0,
    time,
    lt: 0n,
    minRefMasterchainSeqno: 0,
    queue: Trie.empty(MESSAGE_QUEUE),
    processed: [],
    totalValidatorFees: NO_CURRENCIES,
    master: undefined,
    masterchain: undefined,
  };
}

/** The masterchain's description of a shard that has no block yet. */
function zeroDescription({ id }: ZeroState, time: number): ShardDescription {
  return {
    workchain: id.workchain,
    shard: id.shard,
    block: { endLt: 0n, seqno: 0, rootHash: id.rootHash, fileHash: id.fileHash },
    startLt: 0n,
    registeredSeqno: 0,
    minRefMasterchainSeqno: 0,
    time,
    feesCollected: NO_CURRENCIES,
    fundsCreated: NO_CURRENCIES,
  };
}

function shardGenesis(
  shard: ShardId,
  accounts: readonly GenesisAccount[],
  time: number,
  extra?: (own: Currencies) => MasterchainExtra,
): ShardGenesis {
  const own = accounts.filter(({ id }) => containsAccount(shard, id));
  const entries = own.map((account) => [account.id.hash, stateEntry(account)] as const);
  const dictionary = Trie.from(SHARD_ACCOUNTS, entries);
  const state = { ...emptyState(shard, time), masterchain: extra?.(dictionary.extra) };
  return { state, value: dictionary.extra, accounts: own, zero: encodeZeroState({ ...state, accounts: dictionary }) };
}

function stateEntry(account: GenesisAccount): ShardAccount {
  const entry = readShardAccount(genesisShardAccount(account), "cell");
  if (!entry) throw new Error("an account of the zero state does not exist");
  return entry;
}

function masterchainExtra(config: Cell, shards: readonly ShardGenesis[], time: number): (own: Currencies) => MasterchainExtra {
  return (own) => ({
    shards: shards.map(({ zero }) => zeroDescription(zero, time)),
    configAddress: CONFIG_ACCOUNT.hash,
    config,
    past: Trie.empty(PAST_BLOCKS),
    // The zero state counts as a key block: it sets the configuration.
    isAfterKeyBlock: true,
    lastKeyBlock: undefined,
    globalBalance: shards.map(({ value }) => value).reduce(addCurrencies, own),
  });
}
