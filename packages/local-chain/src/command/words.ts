import type { AccountId, BlockHeader, BlockId, ExtraCurrency, ShardId, TransactionId } from "../domain.ts";
import { type Described, Told } from "./described.ts";

/** How values are written: hashes and cells in base64, addresses raw, shards in hexadecimal, amounts in the smallest unit. */

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

export function address({ workchain, hash }: AccountId): string {
  return `${workchain}:${Buffer.from(hash).toString("hex").toUpperCase()}`;
}

export function shardName({ workchain, shard }: ShardId): string {
  return `${workchain}:${BigInt.asUintN(64, shard).toString(16).padStart(16, "0")}`;
}

export function blockName(id: BlockId): string {
  return `${shardName(id)}:${id.seqno}`;
}

export function transactionName(account: AccountId, { lt }: Pick<TransactionId, "lt">): string {
  return `${address(account)}:${lt}`;
}

export function time(seconds: number): Told {
  return new Told(seconds, `${new Date(seconds * 1000).toISOString().replace(".000Z", "Z")} (${seconds})`);
}

export function cells(boc: Uint8Array): Told {
  return new Told(base64(boc), `${boc.length} bytes`);
}

export function currencies(extra: readonly ExtraCurrency[]): Described | undefined {
  if (extra.length === 0) return undefined;
  return Object.fromEntries(extra.map(({ id, amount }) => [`currency ${id}`, `${amount}`]));
}

/** A block without what is in it. */
export function header(block: BlockHeader): Described {
  return {
    block: blockName(block.id),
    root_hash: base64(block.id.rootHash),
    file_hash: base64(block.id.fileHash),
    state_root_hash: base64(block.stateRootHash),
    previous: blockName(block.previous),
    start_lt: `${block.startLt}`,
    end_lt: `${block.endLt}`,
    time: time(block.time),
    masterchain_seqno: block.masterchainSeqno,
    transaction_count: block.transactionCount,
    queue: block.queueSize,
  };
}
