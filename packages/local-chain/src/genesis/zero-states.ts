import { readShardAccount, SHARD_ACCOUNTS, type ShardAccount } from "@chain-query/format/accounts";
import type { Cell } from "@chain-query/format/cells";
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
import type { ZeroState } from "../store/commit.ts";
import { configAccount, type GenesisAccount, genesisAccounts, genesisShardAccount } from "./accounts.ts";
import { CONFIG_ACCOUNT, configuration, GLOBAL_ID, suspendedParameter } from "./configuration.ts";
import { type ChainOptions, reshardingTimings } from "./options.ts";
import type { Population } from "./population.ts";
import { validatorParameters } from "./validators.ts";

/** A shard at genesis. */
export interface ShardGenesis {
  /** Without the cells of the accounts, which need much memory: they are rebuilt on demand. */
  readonly state: Omit<ShardState, "accounts">;
  /** The sum of the balances. */
  readonly value: Currencies;
  readonly zero: ZeroState;
  readonly accounts: readonly GenesisAccount[];
}

/** The zero states of a chain. */
export interface GenesisStates {
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

export function zeroStates(population: Population, options: ChainOptions): GenesisStates {
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
