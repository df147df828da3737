import type { DeliveredMessage } from "@chain-query/format/blocks";
import { toBinaryString, writeBoc } from "@chain-query/format/cells";
import { type AccountId, containsAccount } from "@chain-query/format/identifiers";
import type { QueuedMessage, ShardState } from "@chain-query/format/states";
import type { MachineThread } from "../execution/machine-thread.ts";
import { absentShardAccount } from "../genesis/accounts.ts";
import type { ChainOptions } from "../genesis/options.ts";
import type { Population } from "../genesis/population.ts";
import type { ChainStoreWriter } from "../store/commit.ts";
import type { ShardTip, TrafficCounters, WaitingMessage } from "../store/producer-state.ts";

/** A chain in its producer's memory, between two steps. */
export interface Network {
  readonly options: ChainOptions;
  readonly population: Population;
  readonly machine: MachineThread;
  readonly accounts: AccountTable;
  readonly masterchain: Shard;
  /** By rising prefix. */
  readonly shards: readonly Shard[];
  readonly counters: TrafficCounters;
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
}

/** All shards, in the order in which a step makes their blocks. */
export function allShards({ shards, masterchain }: Pick<Network, "shards" | "masterchain">): readonly Shard[] {
  return [...shards, masterchain];
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

const ABSENT = Buffer.from(writeBoc(absentShardAccount())).toString("base64");

/** The accounts of a store with the changes since the last commit. */
export function accountTable(store: Pick<ChainStoreWriter, "account">): AccountTable {
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
