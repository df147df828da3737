import { type Block, readBlock, sumValueFlow, type ValueFlow } from "@chain-query/format/blocks";
import { type Cell, CellReader, hex, readBoc, sha256, writeBoc } from "@chain-query/format/cells";
import { formatCurrencies } from "@chain-query/format/currencies";
import { type AccountId, accountName, type BlockId, type BlockRef, blockName } from "@chain-query/format/identifiers";
import { readState } from "@chain-query/format/states";
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
export interface CheckedBlock extends Pick<Block, "flow" | "shards" | "info"> {
  readonly header: BlockHeader;
  readonly transactions: readonly CheckedTransaction[];
}

/**
 * Checks the hashes of a block, and compares it with its header, the previous block and the records of its transactions.
 *
 * @throws ChainFault at the first inconsistency.
 */
export function checkBlock(tables: Tables, header: BlockHeader, before: BlockHeader): CheckedBlock {
  const name = () => `block ${blockName(header.id)}`;
  const boc = tables.blockData.get(blockKey(header.id, header.id.seqno));
  must(boc !== undefined, () => `${name()} is missing`);
  mustEqual(sha256(boc), header.id.fileHash, () => `file hash of ${name()}`);
  const root = readBoc(boc);
  mustEqual(root.hash, header.id.rootHash, () => `root hash of ${name()}`);
  const contents = readBlock(root);
  checkInfo(header, contents, name);
  checkPrevious(header, contents, before, name);
  mustEqual(contents.oldStateHash, before.stateRootHash, () => `hash of the state before ${name()}`);
  mustEqual(contents.newStateHash, header.stateRootHash, () => `hash of the state after ${name()}`);
  mustEqual(header.queueSize, before.queueSize + contents.queueChange, () => `queue size after ${name()}`);
  checkFlow(contents.flow, name);
  checkIndexes(tables, header, name);
  checkState(tables, header, name);
  mustEqual(contents.transactions.length, header.transactionCount, () => `number of transactions of ${name()}`);
  const transactions = contents.transactions.map((cell) => checkTransaction(tables, cell, header));
  return { header, transactions, flow: contents.flow, shards: contents.shards, info: contents.info };
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

function checkPrevious(header: BlockHeader, { info }: Block, before: BlockHeader, name: () => string): void {
  checkRef(info.previous, before, () => `block before ${name()}`);
  mustEqual(header.previous.seqno, before.id.seqno, () => `number of the block before ${name()}`);
  mustEqual(header.previous.rootHash, before.id.rootHash, () => `root hash of the block before ${name()}`);
  mustEqual(header.previous.fileHash, before.id.fileHash, () => `file hash of the block before ${name()}`);
  must(header.startLt >= before.endLt, () => `${name()} starts at lt ${header.startLt}, before the end of the one before`);
  must(header.time >= before.time, () => `${name()} is older than the one before`);
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
function checkState(tables: Tables, { id, stateRootHash }: BlockHeader, name: () => string): void {
  const record = tables.states.get(blockKey(id, id.seqno));
  must(record !== undefined, () => `the state after ${name()} is missing`);
  const root = naming(`the state after ${name()}`, () => readBoc(cellRecord.decode(record)));
  mustEqual(root.hashAt(0), stateRootHash, () => `hash of the record of the state after ${name()}`);
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
