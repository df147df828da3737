import type { MachineThread } from "../execution/machine-thread.ts";
import type { ChainOptions } from "../genesis/options.ts";
import type { Population } from "../genesis/population.ts";
import type { AccountTable } from "./account-table.ts";
import type { Shard } from "./shard.ts";

/** A chain as its producer holds it between two steps. */
export interface Network {
  readonly options: ChainOptions;
  readonly people: Population;
  readonly machine: MachineThread;
  readonly accounts: AccountTable;
  readonly masterchain: Shard;
  /** By rising prefix. */
  readonly shards: readonly Shard[];
  readonly counters: Counters;
}

/** What the traffic goes on from. */
export interface Counters {
  /** Messages from outside so far. */
  messages: number;
  /** Wallets that somebody deployed, or sent value to in order to. */
  wallets: number;
  /** Addresses that nobody will ever have. */
  strangers: number;
}

/** All shards, in the order in which a step makes their blocks. */
export function allShards({ shards, masterchain }: Network): readonly Shard[] {
  return [...shards, masterchain];
}
