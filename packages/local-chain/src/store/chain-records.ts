import type { BlockHeader, BlockId, ShardId } from "../domain.ts";
import { blockKey, textKey } from "./keys.ts";
import { readGenesis, type StoredGenesis } from "./records/genesis-record.ts";
import { readHead, type StoredHead } from "./records/head-record.ts";
import { readHeader } from "./records/header-record.ts";
import { ChainStoreError } from "./store-error.ts";
import type { Tables } from "./tables.ts";

/** Keys of the records that a chain has once. */
export const HEAD: Buffer = textKey("head");
export const GENESIS: Buffer = textKey("genesis");

export function storedHead(tables: Tables): StoredHead {
  return readHead(needed(tables.meta.get(HEAD), "its head"));
}

export function storedGenesis(tables: Tables): StoredGenesis {
  return readGenesis(needed(tables.meta.get(GENESIS), "its genesis"));
}

/** The header of a block of one of the chain's shards; a zero state counts as its block 0. */
function storedHeader(tables: Tables, genesis: StoredGenesis, shard: ShardId, seqno: number): BlockHeader | undefined {
  if (seqno === 0) return zeroStateHeader(genesis, shard);
  const record = tables.blocks.get(blockKey(shard, seqno));
  return record && readHeader(record);
}

/** A header that must be there, since another record names it. */
export function knownHeader(tables: Tables, genesis: StoredGenesis, shard: ShardId, seqno: number): BlockHeader {
  const header = storedHeader(tables, genesis, shard, seqno);
  if (!header) throw new ChainStoreError(`the chain is damaged: block (${shard.workchain},${shard.shard},${seqno}) is missing`);
  return header;
}

function zeroStateHeader(genesis: StoredGenesis, shard: ShardId): BlockHeader | undefined {
  const id = [genesis.masterchain, ...genesis.shards].find((zeroState) => isSameShard(zeroState, shard));
  return id && headerOfZeroState(id, genesis.time);
}

function headerOfZeroState(id: BlockId, time: number): BlockHeader {
  const nothing = { startLt: 0n, endLt: 0n, masterchainSeqno: 0, transactionCount: 0, queueSize: 0 };
  return { id, ...nothing, time, stateRootHash: id.rootHash, previous: id };
}

export function isSameShard(a: ShardId, b: ShardId): boolean {
  return a.workchain === b.workchain && a.shard === b.shard;
}

function needed(record: Uint8Array | undefined, what: string): Uint8Array {
  if (!record) throw new ChainStoreError(`the chain is damaged: ${what} is missing`);
  return record;
}
