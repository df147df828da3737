import { type Block, readBlock, sumValueFlow, type ValueFlow } from "@chain-query/format/blocks";
import { type Cell, CellReader, hex, readBoc, sha256, writeBoc } from "@chain-query/format/cells";
import { formatCurrencies } from "@chain-query/format/currencies";
import {
  type AccountId,
  accountName,
  type BlockId,
  type BlockRef,
  blockName,
  isSameShard,
} from "@chain-query/format/identifiers";
import { buildSplitState, readQueueSize, readState } from "@chain-query/format/states";
import { type BlockHeader, cellRecord, storedTransaction, transactionRecord } from "@chain-query/format/store";
import { type DecodedTransaction, decodeTransaction } from "@chain-query/format/transactions";
import { blockKey, blockLtKey, blockTimeKey, numberRecord, transactionKey } from "../store/records.ts";
import type { Table, Tables } from "../store/tables.ts";
import type { StateChange } from "./account-ledger.ts";
import { must, mustEqual, naming } from "./fault.ts";

/** A transaction of a checked block. */
interface CheckedTransaction {
  readonly account: AccountId;
  readonly decoded: DecodedTransaction;
  readonly state: StateChange;
}

/** A block whose hashes, links and records are consistent. */
export interface CheckedBlock extends Pick<Block, "flow" | "shards" | "info" | "queueChange"> {
  readonly root: Cell;
  readonly header: BlockHeader;
  readonly transactions: readonly CheckedTransaction[];
}

/** The block before: one, of the same shard or of the one that was split; two after a merge. */
export type BlocksBefore = readonly [BlockHeader, BlockHeader?];

/**
 * Checks the hashes of a block, and compares it with its header, the blocks before it and the records of its transactions.
 *
 * @throws ChainFault at the first inconsistency.
 */
export function checkBlock(tables: Tables, header: BlockHeader, before: BlocksBefore): CheckedBlock {
  const name = () => `block ${blockName(header.id)}`;
  const boc = tables.blockData.get(blockKey(header.id, header.id.seqno));
  must(boc !== undefined, () => `${name()} is missing`);
  mustEqual(sha256(boc), header.id.fileHash, () => `file hash of ${name()}`);
  const root = readBoc(boc);
  mustEqual(root.hash, header.id.rootHash, () => `root hash of ${name()}`);
  const contents = readBlock(root);
  checkInfo(header, contents, name);
  checkPrevious(header, contents, before, name);
  mustEqual(contents.oldStateHash, stateHashBefore(tables, before), () => `hash of the state before ${name()}`);
  mustEqual(contents.newStateHash, header.stateRootHash, () => `hash of the state after ${name()}`);
  checkFlow(contents.flow, name);
  checkIndexes(tables, header, name);
  checkState(tables, header, name);
  checkQueueSize(header, contents, before, name);
  mustEqual(contents.transactions.length, header.transactionCount, () => `number of transactions of ${name()}`);
  const transactions = contents.transactions.map((cell) => checkTransaction(tables, cell, header));
  const { flow, shards, info, queueChange } = contents;
  return { root, header, transactions, flow, shards, info, queueChange };
}

function checkInfo({ id, startLt, endLt, time }: BlockHeader, { info }: Block, name: () => string): void {
  mustEqual(info.workchain, id.workchain, () => `workchain in ${name()}`);
  mustEqual(info.shard, id.shard, () => `shard in ${name()}`);
  mustEqual(info.seqno, id.seqno, () => `number in ${name()}`);
  mustEqual(startLt, info.startLt, () => `start lt of ${name()}`);
  mustEqual(endLt, info.endLt, () => `end lt of ${name()}`);
  mustEqual(time, info.time, () => `time of ${name()}`);
  must(startLt < endLt, () => `${name()} ends at lt ${endLt}, not after its start`);
}

function checkPrevious(header: BlockHeader, { info }: Block, before: BlocksBefore, name: () => string): void {
  const [first, second] = before;
  const both = second ? [first, second] : [first];
  checkRef(info.previous, first, () => `block before ${name()}`);
  must((info.mergedWith === undefined) === (second === undefined), () => `${name()} must have ${both.length} blocks before it`);
  if (info.mergedWith && second) checkRef(info.mergedWith, second, () => `second block before ${name()}`);
  const isAfterSplit = second === undefined && !isSameShard(first.id, header.id);
  mustEqual(info.isAfterSplit, isAfterSplit, () => `flag after_split of ${name()}`);
  mustEqual(header.id.seqno, 1 + Math.max(...both.map(({ id }) => id.seqno)), () => `number of ${name()}`);
  mustEqual(blockName(header.previous), blockName(first.id), () => `block before ${name()}`);
  mustEqual(header.previous.rootHash, first.id.rootHash, () => `root hash of the block before ${name()}`);
  mustEqual(header.previous.fileHash, first.id.fileHash, () => `file hash of the block before ${name()}`);
  for (const { endLt, time } of both) {
    must(header.startLt >= endLt, () => `${name()} starts at lt ${header.startLt}, before the end of the one before`);
    must(header.time >= time, () => `${name()} is older than the one before`);
  }
}

function stateHashBefore(tables: Tables, [first, second]: BlocksBefore): Uint8Array {
  if (!second) return first.stateRootHash;
  const [left, right] = [first, second].map(({ id }) => stateAfter(tables, id)) as [Cell, Cell];
  const digest = (state: Cell) => ({ hash: state.hashAt(0), depth: state.depthAt(0) });
  return buildSplitState(digest(left), digest(right)).hashAt(0);
}

/** Both halves of a shard have the messages of its queue; verify-chain.ts checks that none is lost or in both. */
function checkQueueSize(
  { id, queueSize }: BlockHeader,
  { queueChange }: Block,
  before: BlocksBefore,
  name: () => string,
): void {
  const [first, second] = before;
  if (!second && !isSameShard(first.id, id)) return;
  mustEqual(queueSize, (first.queueSize ?? 0) + (second?.queueSize ?? 0) + queueChange, () => `queue size after ${name()}`);
}

/** Compares a reference to a block with that block. */
export function checkRef(ref: BlockRef, block: BlockHeader, what: () => string): void {
  mustEqual(ref.seqno, block.id.seqno, () => `number of the ${what()}`);
  mustEqual(ref.rootHash, block.id.rootHash, () => `root hash of the ${what()}`);
  mustEqual(ref.fileHash, block.id.fileHash, () => `file hash of the ${what()}`);
  mustEqual(ref.endLt, block.endLt, () => `end lt of the ${what()}`);
}

function checkFlow(flow: ValueFlow, name: () => string): void {
  const { incoming, outgoing } = sumValueFlow(flow);
  mustEqual(formatCurrencies(outgoing), formatCurrencies(incoming), () => `value that leaves ${name()}`);
}

function checkIndexes(tables: Tables, { id, endLt, time }: BlockHeader, name: () => string): void {
  const find = (table: Table, key: Buffer): number | undefined => {
    const record = table.get(key);
    return record && numberRecord.decode(record);
  };
  mustEqual(find(tables.blocksByLt, blockLtKey(id, endLt)), id.seqno, () => `index by lt of ${name()}`);
  mustEqual(find(tables.blocksByTime, blockTimeKey(id, time, id.seqno)), id.seqno, () => `index by time of ${name()}`);
}

/** The record of the state after a block, from which proofs are made, must have the hash that the block states. */
function checkState(tables: Tables, { id, stateRootHash, queueSize }: BlockHeader, name: () => string): void {
  const root = stateAfter(tables, id);
  mustEqual(root.hashAt(0), stateRootHash, () => `hash of the record of the state after ${name()}`);
  mustEqual(queueSize, readQueueSize(root), () => `queue size in the state after ${name()}`);
}

/** Without its large parts. Seqno 0 is the zero state. */
export function stateAfter(tables: Tables, id: BlockId): Cell {
  const name = `the state after block ${blockName(id)}`;
  const record = (id.seqno === 0 ? tables.blockData : tables.states).get(blockKey(id, id.seqno));
  must(record !== undefined, () => `${name} is missing`);
  return naming(name, () => readBoc(id.seqno === 0 ? record : cellRecord.decode(record)));
}

/** The record of a transaction must equal its decoded cell in the block. */
function checkTransaction(tables: Tables, cell: Cell, header: BlockHeader): CheckedTransaction {
  const decoded = decodeTransaction(cell);
  const account = { workchain: header.id.workchain, hash: decoded.accountHash };
  const { lt } = decoded.id;
  const name = () => `transaction ${lt} of account ${accountName(account)}`;
  must(header.startLt <= lt && lt < header.endLt, () => `${name()} is outside of block ${blockName(header.id)}`);
  mustEqual(decoded.time, header.time, () => `time of ${name()}`);
  const record = tables.transactions.get(transactionKey(account, lt));
  must(record !== undefined, () => `${name()} is missing`);
  const expected = storedTransaction(decoded, writeBoc(cell), header.masterchainSeqno, ({ hash }) => {
    must(tables.cells.doesExist(hash), () => `initial state ${hex(hash)} is missing`);
    return hash;
  });
  mustEqual(record, transactionRecord.encode(expected), () => `record of ${name()}`);
  return { account, decoded, state: stateChangeOf(cell) };
}

/** The HASH_UPDATE of a transaction is its second last reference. */
function stateChangeOf(cell: Cell): StateChange {
  const update = cell.refs.at(-2);
  must(update !== undefined, () => "a transaction has no HASH_UPDATE");
  const reader = new CellReader(update).skip(8);
  return { oldHash: reader.bytes(32), newHash: reader.bytes(32) };
}

/** Checks the hashes and the time of a zero state, and returns its bag of cells. */
export function checkZeroState(tables: Tables, id: BlockId, time: number): Uint8Array {
  const name = `zero state ${blockName({ ...id, seqno: 0 })}`;
  const boc = tables.blockData.get(blockKey(id, 0));
  must(boc !== undefined, () => `the ${name} is missing`);
  mustEqual(sha256(boc), id.fileHash, () => `file hash of the ${name}`);
  const root = naming(name, () => readBoc(boc));
  mustEqual(root.hash, id.rootHash, () => `root hash of the ${name}`);
  mustEqual(time, readState(root).time, () => `time of the ${name}`);
  return boc;
}
