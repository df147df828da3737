import {
  accountKey,
  accountRecord,
  type BlockHeader,
  cellRecord,
  headerRecord,
  type KeepCell,
  type Step,
  type StepAccount,
  type StepBlock,
  type StepTransaction,
  storedAccount,
  storedTransaction,
  transactionRecord,
} from "@chain-query/chain-store";
import { writeBoc } from "@chain-query/format/cells";
import { decodeTransaction } from "@chain-query/format/transactions";
import type { BulkRow, BulkTable } from "./copy.ts";
import { PostgresStoreError } from "./types.ts";

/** The tables of a step, by the part of a batch that is written to them. */
export const TABLES: Readonly<Record<keyof Batch, BulkTable>> = {
  cells: {
    name: "cells",
    columns: [
      ["hash", "bytea"],
      ["record", "bytea"],
    ],
    keyLength: 1,
  },
  transactions: {
    name: "transactions",
    columns: [
      ["account", "bytea"],
      ["lt", "int8"],
      ["mc_seqno", "int4"],
      ["in_created_lt", "int8"],
      ["record", "bytea"],
    ],
    keyLength: 3,
  },
  versions: {
    name: "account_versions",
    columns: [
      ["account", "bytea"],
      ["mc_seqno", "int4"],
      ["record", "bytea"],
    ],
    keyLength: 2,
  },
  blocks: {
    name: "blocks",
    columns: [
      ["workchain", "int4"],
      ["shard", "int8"],
      ["seqno", "int4"],
      ["end_lt", "int8"],
      ["time", "int8"],
      ["mc_seqno", "int4"],
      ["record", "bytea"],
    ],
    keyLength: 3,
  },
};

/** The rows of some steps. */
export interface Batch {
  readonly cells: BulkRow[];
  readonly transactions: BulkRow[];
  readonly versions: BulkRow[];
  readonly blocks: BulkRow[];
}

/** @param knownCells - Hashes of cells that need not be written again. */
export function encodeSteps(steps: readonly Step[], knownCells: ReadonlySet<string>): Batch {
  const batch: Batch = { cells: [], transactions: [], versions: [], blocks: [] };
  const keepCell = cellKeeper(batch, knownCells);
  for (const step of steps) {
    const { seqno } = step.masterchain.id;
    for (const block of [...step.shards, step.masterchain]) {
      batch.blocks.push(blockRow(headerOf(block, seqno)));
      for (const transaction of block.transactions) batch.transactions.push(transactionRow(transaction, seqno, keepCell));
    }
    for (const account of step.accounts) batch.versions.push(versionRow(account, seqno, keepCell));
  }
  sortByBytes(batch.cells);
  return batch;
}

/** Accounts of zero states. */
export function encodeAccounts(accounts: readonly StepAccount[], knownCells: ReadonlySet<string>): Batch {
  const batch: Batch = { cells: [], transactions: [], versions: [], blocks: [] };
  const keepCell = cellKeeper(batch, knownCells);
  for (const account of accounts) batch.versions.push(versionRow(account, 0, keepCell));
  sortByBytes(batch.cells);
  return batch;
}

export function headerOf({ transactions, ...header }: StepBlock, masterchainSeqno: number): BlockHeader {
  return { ...header, masterchainSeqno, transactionCount: transactions.length };
}

function blockRow(header: BlockHeader): BulkRow {
  const { id, endLt, time, masterchainSeqno } = header;
  const record = headerRecord.encode(header);
  return [id.workchain, id.shard, id.seqno, endLt, BigInt(time), masterchainSeqno, record];
}

function transactionRow({ account, cell }: StepTransaction, seqno: number, keepCell: KeepCell): BulkRow {
  const decoded = decodeTransaction(cell);
  const { id, inMessage } = decoded;
  const record = transactionRecord.encode(storedTransaction(decoded, writeBoc(cell), seqno, keepCell));
  const isInternal = inMessage?.source !== undefined && inMessage.destination !== undefined;
  return [accountKey(account), id.lt, seqno, isInternal ? inMessage.createdLt : null, record];
}

function versionRow({ account, shardAccount }: StepAccount, seqno: number, keepCell: KeepCell): BulkRow {
  return [accountKey(account), seqno, accountRecord.encode(storedAccount(shardAccount, keepCell))];
}

function cellKeeper(batch: Batch, knownCells: ReadonlySet<string>): KeepCell {
  const added = new Set<string>();
  return (cell) => {
    const id = cellId(cell.hash);
    if (!knownCells.has(id) && !added.has(id)) {
      added.add(id);
      batch.cells.push([cell.hash, cellRecord.encode(writeBoc(cell))]);
    }
    return cell.hash;
  };
}

/** The name of a cell in the set of known ones. */
export function cellId(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString("latin1");
}

/** Writers that insert the same rows wait for one another; in one order, they cannot wait for each other. */
function sortByBytes(rows: BulkRow[]): void {
  rows.sort(([a], [b]) => (a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) : 0));
}

/**
 * The newest blocks of all shards after a step.
 *
 * @throws PostgresStoreError if a block does not follow the one before it: it is of another chain.
 */
export function tipsAfter(tips: readonly BlockHeader[], step: Step): readonly BlockHeader[] {
  const { seqno } = step.masterchain.id;
  let next = tips;
  for (const block of [step.masterchain, ...step.shards]) next = replaceTip(next, headerOf(block, seqno));
  return next;
}

function replaceTip(tips: readonly BlockHeader[], block: BlockHeader): readonly BlockHeader[] {
  const previous = tips.find(({ id }) => isSameShard(id, block.previous));
  // The first block of a shard after a split or a merge: the tip before it may be that of another new shard already.
  if (previous === undefined && tips.some(({ id }) => isSameShard(id, block.id))) throw foreignBlock(block, undefined);
  if (previous && Buffer.compare(previous.id.rootHash, block.previous.rootHash) !== 0) throw foreignBlock(block, previous);
  if (previous && isSameShard(previous.id, block.id)) return tips.map((tip) => (tip === previous ? block : tip));
  const [masterchain, ...others] = tips;
  const shards = [...others.filter(({ id }) => !overlaps(id, block.id)), block].sort(byShard);
  return masterchain ? [masterchain, ...shards] : shards;
}

function foreignBlock({ id, previous }: BlockHeader, tip: BlockHeader | undefined): PostgresStoreError {
  const expected = tip ? `, got ${hex(previous.rootHash)} and expected ${hex(tip.id.rootHash)}` : "";
  return new PostgresStoreError(
    "foreign",
    `the database has another chain: the block before ${id.workchain}:${hexShard(id.shard)}:${id.seqno} is not the stored one${expected}`,
  );
}

interface Shard {
  readonly workchain: number;
  readonly shard: bigint;
}

export function isSameShard(a: Shard, b: Shard): boolean {
  return a.workchain === b.workchain && a.shard === b.shard;
}

/** Whether one shard has the other's accounts: the bits above the lowest set one are a prefix of addresses. */
function overlaps(a: Shard, b: Shard): boolean {
  const [x, y] = [BigInt.asUintN(64, a.shard), BigInt.asUintN(64, b.shard)];
  const difference = x ^ y;
  return a.workchain === b.workchain && (difference < (x & -x) << 1n || difference < (y & -y) << 1n);
}

function byShard({ id: a }: BlockHeader, { id: b }: BlockHeader): number {
  if (a.workchain !== b.workchain) return a.workchain - b.workchain;
  return BigInt.asUintN(64, a.shard) < BigInt.asUintN(64, b.shard) ? -1 : 1;
}

function hexShard(shard: bigint): string {
  return BigInt.asUintN(64, shard).toString(16).padStart(16, "0");
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
