import { readShardAccount, SHARD_ACCOUNTS, type ShardAccount } from "@chain-query/format/accounts";
import { type Cell, readBoc } from "@chain-query/format/cells";
import { Trie, uint32Key } from "@chain-query/format/dictionaries";
import { type AccountId, containsAccount, MASTERCHAIN, type ShardId } from "@chain-query/format/identifiers";
import { MESSAGE_QUEUE, PAST_BLOCKS, type ShardState } from "@chain-query/format/states";
import { startMachine } from "../execution/machine-thread.ts";
import { readOptions } from "../genesis/options.ts";
import { createPopulation } from "../genesis/population.ts";
import { basechainShards } from "../genesis/zero-states.ts";
import type { ChainStoreContents } from "../store/commit.ts";
import {
  readConfig,
  readConfigBase64,
  readCounters,
  readPast,
  readPool,
  readQueue,
  readShard,
} from "../store/producer-state.ts";
import { accountTable, allShards, byCreation, type Network, type Shard, shardOf } from "./network.ts";

/** Loads the network of a store as it was after the last step. The caller closes its machine. */
export function openNetwork(store: ChainStoreContents): Network {
  const options = readOptions(store.genesis.options);
  const opened = openShards(store);
  const network: Network = {
    options,
    population: createPopulation(options.seed),
    machine: startMachine(readConfigBase64(store)),
    accounts: accountTable(store),
    masterchain: opened.at(-1) as Shard,
    shards: opened.slice(0, -1),
    counters: readCounters(store),
  };
  for (const message of readPool(store)) shardOf(opened, message.to).pool.push(message);
  for (const sender of opened) for (const [, queued] of sender.state.queue) restore(network, sender, queued);
  for (const { inbound } of opened) inbound.sort(byCreation);
  return network;
}

/** The shards of a store with their states, the masterchain last, without inbound messages and pools. */
export function openShards(store: ChainStoreContents): Shard[] {
  const ids = [...basechainShards(readOptions(store.genesis.options).shards), MASTERCHAIN];
  const accounts = readAccounts(store, ids);
  const config = readConfig(store);
  return ids.map((id, i) => openShard(store, id, accounts[i] as Accounts, config));
}

type Queued = Shard["inbound"][number];

/** A message in a queue waits for its destination's shard, or was imported by that shard's newest block. */
function restore(network: Network, sender: Shard, queued: Queued): void {
  const receiver = shardOf(allShards(network), queued.message.destination as AccountId);
  const upto = receiver.state.processed.at(-1);
  const { createdLt, cell } = queued.message;
  const isImported =
    upto !== undefined &&
    (createdLt < upto.lastLt || (createdLt === upto.lastLt && Buffer.compare(cell.hash, upto.lastHash) <= 0));
  if (isImported) sender.delivered.push({ queued, importLt: receiver.tip.ref.endLt });
  else receiver.inbound.push(queued);
}

type Accounts = (readonly [Uint8Array, ShardAccount])[];

/** All accounts by shard, as digests. */
function readAccounts(store: ChainStoreContents, ids: readonly ShardId[]): Accounts[] {
  const byShard = ids.map((): Accounts => []);
  for (const { account, boc } of store.accounts()) {
    const own = byShard[ids.findIndex((id) => containsAccount(id, account))];
    if (!own) throw new Error(`an account of workchain ${account.workchain} has no shard`);
    const entry = readShardAccount(readBoc(boc), "digest");
    if (entry) own.push([account.hash, entry]);
  }
  return byShard;
}

function openShard(store: ChainStoreContents, id: ShardId, accounts: Accounts, config: Cell): Shard {
  const { state, tip, extra } = readShard(store, id);
  const queue = readQueue(store, id);
  const past = extra && readPast(store).map((block) => [uint32Key(block.block.seqno), block] as const);
  const opened: ShardState = {
    ...state,
    master: state.master,
    queue: Trie.from(
      MESSAGE_QUEUE,
      queue.map((queued) => [queued.key, queued] as const),
    ),
    accounts: Trie.from(SHARD_ACCOUNTS, accounts),
    masterchain: extra && past && { ...extra, lastKeyBlock: extra.lastKeyBlock, config, past: Trie.from(PAST_BLOCKS, past) },
  };
  return { state: opened, tip, inbound: [], delivered: [], pool: [] };
}
