import { type BlockHeader, cellRecord } from "@chain-query/chain-store";
import { readBoc } from "@chain-query/format/cells";
import { blockName, isSameShard } from "@chain-query/format/identifiers";
import { hashState } from "@chain-query/format/states";
import { openShards } from "../production/open-network.ts";
import type { StoredGenesis } from "../store/records.ts";
import { storeContents } from "../store/store-contents.ts";
import type { Tables } from "../store/tables.ts";
import { ChainFault, must, mustEqual, naming } from "./fault.ts";

/**
 * Builds the newest state of every shard from the accounts, the queue and the producer's state, as a producer does when it opens the
 * chain. It must have the hash that the shard's newest block states.
 *
 * @param tips - The newest block of each shard.
 */
export function checkStates(tables: Tables, genesis: StoredGenesis, tips: readonly BlockHeader[]): void {
  for (const { state } of readState(() => openShards(storeContents(tables, genesis)))) {
    const tip = tips.find(({ id }) => isSameShard(id, state.shard));
    must(tip !== undefined, () => "the producer's state has a shard that the chain does not have");
    const name = () => `block ${blockName(tip.id)}`;
    mustEqual(readState(() => hashState(state)).hash, tip.stateRootHash, () => `hash of the producer's state after ${name()}`);
  }
}

/** Damaged records of the producer cause errors of many kinds; all become a ChainFault. */
function readState<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ChainFault(`the producer's state cannot be read: ${reason}`, { cause });
  }
}

/** Checks the hashes of the table of cells: code and initial states. */
export function checkCells(tables: Tables): void {
  for (const { key, value } of tables.cells.getRange()) {
    const name = `cell ${Buffer.from(key).toString("hex")}`;
    mustEqual(naming(name, () => readBoc(cellRecord.decode(value))).hash, new Uint8Array(key), () => `hash of the ${name}`);
  }
}
