import { readShardAccount, SHARD_ACCOUNTS, type ShardAccount } from "@chain-query/format/accounts";
import type { DeliveredMessage } from "@chain-query/format/blocks";
import { type Cell, readBoc, toBinaryString, writeBoc } from "@chain-query/format/cells";
import { Trie, uint32Key } from "@chain-query/format/dictionaries";
import { type AccountId, containsAccount, type ShardId } from "@chain-query/format/identifiers";
import { type FormerStates, MESSAGE_QUEUE, PAST_BLOCKS, type QueuedMessage, type ShardState } from "@chain-query/format/states";
import type { BlockSigners } from "@chain-query/format/validators";
import { type MachineThread, startMachine } from "../execution/machine.ts";
import { absentShardAccount } from "../genesis/accounts.ts";
import { type ChainOptions, readOptions } from "../genesis/options.ts";
import { createPopulation, type Population } from "../genesis/population.ts";
import { blockSigners } from "../genesis/validators.ts";
import type { ChainStoreContents, ChainStoreWriter } from "../store/commit.ts";
import {
  readConfig,
  readCounters,
  readLibraries,
  readPast,
  readPool,
  readQueue,
  readShard,
  type ShardTip,
  type TrafficCounters,
  type WaitingMessage,
} from "../store/producer-state.ts";

/** A chain in its producer's memory, between two steps. */
export interface Network {
  readonly options: ChainOptions;
  readonly population: Population;
  readonly machine: MachineThread;
  /** See `LocalChain.signers`. */
  readonly signersOf: (seqno: number) => BlockSigners | undefined;
  /** The configuration as the virtual machine takes it: a bag of cells in base64. */
  config: string;
  readonly accounts: AccountTable;
  readonly masterchain: Shard;
  /** By rising prefix. */
  readonly shards: Shard[];
  readonly counters: TrafficCounters;
  /** Fees that the masterchain collected or burned since genesis. */
  burnt: bigint;
}

/** A shard in its producer's memory, between two blocks. */
export interface Shard {
  state: ShardState;
  tip: ShardTip;
  /** Messages to it in any queue, by lt and hash: the order in which it imports them. */
  readonly inbound: QueuedMessage[];
  /** Messages of its queue that other shards have imported, which its next block removes. */
  delivered: DeliveredMessage[];
  /** External messages for it, in order of arrival. */
  readonly pool: WaitingMessage[];
  /** Until the first block after a split or a merge. */
  origin?: Origin | undefined;
}

/** What the first block after a split or a merge refers to. */
interface Origin {
  /** After a merge: the newest block of the right half. */
  readonly mergedWith?: ShardTip;
  /** The shards that are replaced, with the state after their last block. */
  readonly former: FormerStates;
}

/** All shards, in the order in which a step makes their blocks. */
export function allShards({ shards, masterchain }: Pick<Network, "shards" | "masterchain">): readonly Shard[] {
  return [...shards, masterchain];
}

/** The external messages of all pools. */
export function waitingMessages(network: Pick<Network, "shards" | "masterchain">): readonly WaitingMessage[] {
  return allShards(network).flatMap(({ pool }) => pool);
}

/** The shard of an account. */
export function shardOf(shards: readonly Shard[], account: AccountId): Shard {
  const found = shards.find(({ state }) => containsAccount(state.shard, account));
  if (!found) throw new RangeError(`no shard holds accounts of workchain ${account.workchain}`);
  return found;
}

/** The order in which a shard imports messages. */
export function byCreation(a: QueuedMessage, b: QueuedMessage): number {
  if (a.message.createdLt !== b.message.createdLt) return a.message.createdLt < b.message.createdLt ? -1 : 1;
  return Buffer.compare(a.message.cell.hash, b.message.cell.hash);
}

/** Accounts as the virtual machine takes and returns them: bags of cells (TL-B ShardAccount) in base64. */
export interface AccountTable {
  get(account: AccountId): string;
  set(account: AccountId, shardAccount: string): void;
  /** Drops the accounts that were set, after they were committed to the store. */
  clear(): void;
}

/** An account that does not exist: TL-B ShardAccount in base64. */
export const ABSENT: string = base64Of(absentShardAccount());

/** The accounts of a store with the changes since the last commit. */
function accountTable(store: Pick<ChainStoreWriter, "account">): AccountTable {
  const changed = new Map<string, string>();
  return {
    get(account) {
      const known = changed.get(nameOf(account));
      if (known !== undefined) return known;
      const boc = store.account(account);
      return boc ? Buffer.from(boc.buffer, boc.byteOffset, boc.byteLength).toString("base64") : ABSENT;
    },
    set(account, shardAccount) {
      changed.set(nameOf(account), shardAccount);
    },
    clear: () => changed.clear(),
  };
}

function nameOf({ workchain, hash }: AccountId): string {
  return `${workchain}:${toBinaryString(hash)}`;
}

/** Loads the network of a store as it was after the last step. The caller closes its machine. */
export function openNetwork(store: ChainStoreContents): Network {
  const options = readOptions(store.options);
  const opened = openShards(store);
  const network: Network = {
    options,
    population: createPopulation(options.seed),
    machine: startMachine(),
    config: base64Of(readConfig(store)),
    signersOf: blockSigners(options),
    accounts: accountTable(store),
    masterchain: opened.at(-1) as Shard,
    shards: opened.slice(0, -1),
    counters: readCounters(store),
    burnt: store.burnt,
  };
  for (const message of readPool(store)) shardOf(opened, message.to).pool.push(message);
  for (const sender of opened) for (const [, queued] of sender.state.queue) restore(store, network, sender, queued);
  for (const { inbound } of opened) inbound.sort(byCreation);
  return network;
}

/** A cell as the virtual machine takes it. */
export function base64Of(cell: Cell): string {
  return Buffer.from(writeBoc(cell)).toString("base64");
}

/** The shards of a store with their states, the masterchain last, without inbound messages and pools. */
export function openShards(store: ChainStoreContents): Shard[] {
  const [masterchain, ...shards] = store.tips.map(({ id }) => id);
  const ids = [...shards, masterchain as ShardId];
  const accounts = readAccounts(store, ids);
  const config = readConfig(store);
  return ids.map((id, i) => openShard(store, id, accounts[i] as Accounts, config));
}

type Queued = Shard["inbound"][number];

/** A message in a queue waits for its destination's shard, or that shard has imported it. */
function restore(store: ChainStoreContents, network: Network, sender: Shard, queued: Queued): void {
  const receiver = shardOf(allShards(network), queued.message.destination as AccountId);
  if (receiver === sender || !isImported(store, receiver, queued)) receiver.inbound.push(queued);
  else sender.delivered.push({ queued, importLt: receiver.tip.ref.endLt });
}

/** A shard has imported a message of another shard if it is not above the last one, and was in a block that the importing block knew. */
function isImported(store: ChainStoreContents, { state }: Shard, { message, at }: Queued): boolean {
  const { createdLt, cell, destination } = message;
  return state.processed.some(
    ({ shard, masterchainSeqno, lastLt, lastHash }) =>
      (createdLt < lastLt || (createdLt === lastLt && Buffer.compare(cell.hash, lastHash) <= 0)) &&
      containsAccount({ ...state.shard, shard }, destination as AccountId) &&
      createdLt < store.shardEndLt(at, masterchainSeqno),
  );
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
    masterchain: extra &&
      past && {
        ...{ ...extra, lastKeyBlock: extra.lastKeyBlock },
        ...{ config, past: Trie.from(PAST_BLOCKS, past), libraries: readLibraries(store) },
      },
  };
  return { state: opened, tip, inbound: [], delivered: [], pool: [] };
}
