import { type Cell, CellReader, readBoc, sha256 } from "@chain-query/format/cells";
import { addCurrencies, type Currencies } from "@chain-query/format/currencies";
import type { BlockRef } from "@chain-query/format/identifiers";
import { type DecodedTransaction, decodeTransaction } from "@chain-query/format/transactions";
import type { AccountId, BlockHeader } from "../domain.ts";
import { blockKey, blockLtKey, blockTimeKey, transactionKey } from "../store/keys.ts";
import { ByteReader } from "../store/records/byte-reader.ts";
import { readTransaction, writeTransaction } from "../store/records/transaction-record.ts";
import { transactionRecord } from "../store/step-records.ts";
import type { Table, Tables } from "../store/tables.ts";
import type { StateChange } from "./account-ledger.ts";
import { type BlockContents, type BlockFlow, readBlockContents } from "./block-contents.ts";
import { accountName, blockName, must, mustEqual } from "./fault.ts";

/** A transaction of a block, with everything that the ledgers ask of it. */
export interface CheckedTransaction {
  readonly account: AccountId;
  readonly decoded: DecodedTransaction;
  readonly state: StateChange;
}

/** A block whose hashes, links and records are right. */
export interface CheckedBlock extends Pick<BlockContents, "flow" | "shards" | "info"> {
  readonly header: BlockHeader;
  readonly transactions: readonly CheckedTransaction[];
}

/**
 * Re-hashes a block and compares it with its header, with the block before it and with the records of its transactions.
 *
 * @throws ChainFault at the first thing that is wrong.
 */
export function checkBlock(tables: Tables, header: BlockHeader, before: BlockHeader): CheckedBlock {
  const name = () => blockName(header.id, header.id.seqno);
  const boc = tables.blockData.get(blockKey(header.id, header.id.seqno));
  must(boc !== undefined, () => `${name()} is missing`);
  mustEqual(sha256(boc), header.id.fileHash, () => `file hash of ${name()}`);
  const root = readBoc(boc);
  mustEqual(root.hash, header.id.rootHash, () => `root hash of ${name()}`);
  const contents = readBlockContents(root);
  checkInfo(header, contents, name);
  checkPrevious(header, contents, before, name);
  mustEqual(contents.oldStateHash, before.stateRootHash, () => `hash of the state before ${name()}`);
  mustEqual(contents.newStateHash, header.stateRootHash, () => `hash of the state after ${name()}`);
  mustEqual(header.queueSize, before.queueSize + contents.queueChange, () => `queue size after ${name()}`);
  checkFlow(contents.flow, name);
  checkIndexes(tables, header, name);
  mustEqual(contents.transactions.length, header.transactionCount, () => `number of transactions of ${name()}`);
  const transactions = contents.transactions.map((cell) => checkTransaction(tables, cell, header));
  return { header, transactions, flow: contents.flow, shards: contents.shards, info: contents.info };
}

function checkInfo({ id, startLt, endLt, time }: BlockHeader, { info }: BlockContents, name: () => string): void {
  mustEqual(info.workchain, id.workchain, () => `workchain in ${name()}`);
  mustEqual(info.shard, id.shard, () => `shard in ${name()}`);
  mustEqual(info.seqno, id.seqno, () => `number in ${name()}`);
  mustEqual(startLt, info.startLt, () => `start lt of ${name()}`);
  mustEqual(endLt, info.endLt, () => `end lt of ${name()}`);
  mustEqual(time, info.time, () => `time of ${name()}`);
  must(startLt < endLt, () => `${name()} ends at lt ${endLt}, not after its start`);
}

function checkPrevious(header: BlockHeader, { info }: BlockContents, before: BlockHeader, name: () => string): void {
  checkRef(info.previous, before, () => `block before ${name()}`);
  mustEqual(header.previous.seqno, before.id.seqno, () => `number of the block before ${name()}`);
  mustEqual(header.previous.rootHash, before.id.rootHash, () => `root hash of the block before ${name()}`);
  mustEqual(header.previous.fileHash, before.id.fileHash, () => `file hash of the block before ${name()}`);
  must(header.startLt >= before.endLt, () => `${name()} starts at lt ${header.startLt}, before the end of the one before`);
  must(header.time >= before.time, () => `${name()} is older than the one before`);
}

/** Compares how a block names another one with that one. */
export function checkRef(ref: BlockRef, block: BlockHeader, what: () => string): void {
  mustEqual(ref.seqno, block.id.seqno, () => `number of the ${what()}`);
  mustEqual(ref.rootHash, block.id.rootHash, () => `root hash of the ${what()}`);
  mustEqual(ref.fileHash, block.id.fileHash, () => `file hash of the ${what()}`);
  mustEqual(ref.endLt, block.endLt, () => `end lt of the ${what()}`);
}

function checkFlow(flow: BlockFlow, name: () => string): void {
  const comes = sum(flow.before, flow.imported, flow.feesImported, flow.recovered, flow.created, flow.minted);
  const goes = sum(flow.after, flow.exported, flow.feesCollected);
  mustEqual(textOf(goes), textOf(comes), () => `value that leaves ${name()}`);
}

function checkIndexes(tables: Tables, { id, endLt, time }: BlockHeader, name: () => string): void {
  const find = (table: Table, key: Buffer): number | undefined => {
    const record = table.get(key);
    return record && new ByteReader(record).u32();
  };
  mustEqual(find(tables.blocksByLt, blockLtKey(id, endLt)), id.seqno, () => `index by lt of ${name()}`);
  mustEqual(find(tables.blocksByTime, blockTimeKey(id, time, id.seqno)), id.seqno, () => `index by time of ${name()}`);
}

/** The record of a transaction must be what its cell, as it lies in the block, decodes to. */
function checkTransaction(tables: Tables, cell: Cell, header: BlockHeader): CheckedTransaction {
  const decoded = decodeTransaction(cell);
  const account = { workchain: header.id.workchain, hash: decoded.accountHash };
  const { lt } = decoded.id;
  const name = () => `transaction ${lt} of ${accountName(account)}`;
  must(header.startLt <= lt && lt < header.endLt, () => `${name()} does not lie in ${blockName(header.id, header.id.seqno)}`);
  mustEqual(decoded.time, header.time, () => `time of ${name()}`);
  const record = tables.transactions.get(transactionKey(account, lt));
  must(record !== undefined, () => `${name()} is missing`);
  const { data } = readTransaction(record, account, ({ length }) => new Uint8Array(length));
  mustEqual(readBoc(data).hash, cell.hash, () => `hash of ${name()}`);
  const { stored } = transactionRecord({ account, cell, boc: data }, header.masterchainSeqno, ({ hash }) => {
    must(tables.cells.doesExist(hash), () => `initial state ${Buffer.from(hash).toString("hex")} is missing`);
    return hash;
  });
  mustEqual(record, writeTransaction(stored), () => `record of ${name()}`);
  return { account, decoded, state: stateChangeOf(cell) };
}

/** The HASH_UPDATE of a transaction is its reference before the last. */
function stateChangeOf(cell: Cell): StateChange {
  const update = cell.refs.at(-2);
  must(update !== undefined, () => "a transaction does not say how it changes its account");
  const reader = new CellReader(update).skip(8);
  return { oldHash: reader.bytes(32), newHash: reader.bytes(32) };
}

function sum(...all: readonly [Currencies, ...Currencies[]]): Currencies {
  return all.reduce(addCurrencies);
}

/** An amount in words, also for comparing: other currencies stand by rising id. */
export function textOf({ coins, extra }: Currencies): string {
  return [`${coins}`, ...extra.map(({ id, amount }) => `${amount} of currency ${id}`)].join(" and ");
}
