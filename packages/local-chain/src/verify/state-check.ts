import { stateDigest } from "@chain-query/format/states";
import type { BlockHeader } from "../domain.ts";
import { openShards } from "../production/open-network.ts";
import { isSameShard } from "../store/chain-records.ts";
import type { StoredGenesis } from "../store/records/genesis-record.ts";
import { storeContents } from "../store/store-contents.ts";
import type { Tables } from "../store/tables.ts";
import { blockName, ChainFault, must, mustEqual } from "./fault.ts";

/**
 * Puts the newest state of every shard together from all accounts, the queue and what the producer keeps: it must have the hash that
 * the shard's newest block names. A producer goes on from nothing else.
 *
 * @param tips - The newest block of each shard.
 */
export function checkStates(tables: Tables, genesis: StoredGenesis, tips: readonly BlockHeader[]): void {
  for (const { state } of kept(() => openShards(storeContents(tables, genesis)))) {
    const tip = tips.find(({ id }) => isSameShard(id, state.shard));
    must(tip !== undefined, () => "the producer keeps a shard that the chain does not have");
    const name = () => blockName(tip.id, tip.id.seqno);
    mustEqual(
      kept(() => stateDigest(state)).hash,
      tip.stateRootHash,
      () => `hash of the state that the producer keeps after ${name()}`,
    );
  }
}

/** Something that is made from the producer's records. */
function kept<T>(make: () => T): T {
  try {
    return make();
  } catch (cause) {
    // Records that only the producer understands fail in many ways, and all mean the same.
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ChainFault(`what the producer keeps cannot be read: ${reason}`, { cause });
  }
}
