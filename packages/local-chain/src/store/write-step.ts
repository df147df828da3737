import { writeBoc } from "@chain-query/format/cells";
import type { DecodedMessage } from "@chain-query/format/messages";
import {
  accountKey,
  accountRecord,
  cellRecord,
  headerRecord,
  type KeepCell,
  type StepTransaction,
  storedAccount,
  storedTransaction,
  transactionRecord,
} from "@chain-query/format/store";
import { decodeTransaction } from "@chain-query/format/transactions";
import type { AccountCommit, BlockCommit, ChainCommit, ProducerState } from "./commit.ts";
import {
  blockKey,
  blockLtKey,
  blockTimeKey,
  blockVersionKey,
  messageKey,
  numberRecord,
  type StoredTrace,
  textKey,
  traceRecord,
  transactionKey,
  versionKey,
} from "./records.ts";
import type { StepTable, StepTables } from "./tables.ts";

const MAX_REMEMBERED_HASHES = 10_000;

/** Writes each code and initial state once. The hashes of written cells are remembered, to save look-ups. */
export function cellKeeper(cells: StepTable): KeepCell {
  const kept = new Set<string>();
  return (cell) => {
    const hash = Buffer.from(cell.hash);
    const id = hash.toString("latin1");
    if (kept.has(id)) return hash;
    if (!cells.doesExist(hash)) cells.putSync(hash, cellRecord.encode(writeBoc(cell)));
    if (kept.size >= MAX_REMEMBERED_HASHES) kept.clear();
    kept.add(id);
    return hash;
  };
}

/** Writes all records of a step except the head. Runs inside an LMDB transaction. */
export function putStep(tables: StepTables, step: ChainCommit, keepCell: KeepCell): void {
  const { seqno } = step.masterchain.id;
  const traces = traceUpdates(tables.messages);
  for (const block of [...step.shards, step.masterchain]) {
    putHeader(tables, block, seqno);
    const key = blockKey(block.id, block.id.seqno);
    tables.blockData.putSync(key, block.boc);
    tables.states.putSync(key, cellRecord.encode(writeBoc(block.state)));
    putBlockAccounts(tables, block, seqno, keepCell);
    for (const transaction of block.transactions) putTransaction(tables, transaction, seqno, traces, keepCell);
  }
  traces.write();
  putAccounts(tables, step.accounts, seqno, keepCell);
  putProducerState(tables, step.producer);
}

function putHeader(tables: StepTables, block: BlockCommit, masterchainSeqno: number): void {
  const { boc: _boc, state: _state, accounts: _accounts, transactions, ...header } = block;
  const { id, endLt, time } = header;
  const seqno = numberRecord.encode(id.seqno);
  tables.blocks.putSync(
    blockKey(id, id.seqno),
    headerRecord.encode({ ...header, masterchainSeqno, transactionCount: transactions.length }),
  );
  tables.blocksByLt.putSync(blockLtKey(id, endLt), seqno);
  tables.blocksByTime.putSync(blockTimeKey(id, time, id.seqno), seqno);
}

function putTransaction(
  tables: StepTables,
  transaction: StepTransaction,
  seqno: number,
  traces: TraceUpdates,
  keepCell: KeepCell,
): void {
  const decoded = decodeTransaction(transaction.cell);
  // Not the executor's bag of cells, whose order differs: readers of a network have the cell only, and write the same bytes.
  const data = writeBoc(transaction.cell);
  const { lt } = decoded.id;
  tables.transactions.putSync(
    transactionKey(transaction.account, lt),
    transactionRecord.encode(storedTransaction(decoded, data, seqno, keepCell)),
  );
  if (decoded.inMessage) traces.consumed(decoded.inMessage, lt);
  for (const message of decoded.outMessages) traces.produced(message, lt);
}

function putBlockAccounts(
  tables: StepTables,
  { id, accounts = [] }: BlockCommit,
  masterchainSeqno: number,
  keepCell: KeepCell,
): void {
  for (const { account, shardAccount } of accounts) {
    const key = blockVersionKey(account, { id, masterchainSeqno });
    tables.versions.putSync(key, accountRecord.encode(storedAccount(shardAccount, keepCell)));
  }
}

/** Writes the accounts after a masterchain block; seqno 0 is the zero state. */
export function putAccounts(tables: StepTables, accounts: Iterable<AccountCommit>, seqno: number, keepCell: KeepCell): void {
  for (const { account, shardAccount, boc } of accounts) {
    tables.versions.putSync(versionKey(account, seqno), accountRecord.encode(storedAccount(shardAccount, keepCell)));
    tables.accounts.putSync(accountKey(account), boc ?? writeBoc(shardAccount));
  }
}

export function putProducerState(tables: StepTables, { put, remove }: ProducerState): void {
  for (const [name, value] of put ?? []) tables.producer.putSync(textKey(name), value);
  for (const name of remove ?? []) tables.producer.removeSync(textKey(name));
}

/** Collects a step's changes to the index of messages: most messages are sent and received in one step, and then written once. */
interface TraceUpdates {
  produced(message: DecodedMessage, lt: bigint): void;
  consumed(message: DecodedMessage, lt: bigint): void;
  write(): void;
}

function traceUpdates(messages: StepTable): TraceUpdates {
  const traces = new Map<string, { readonly key: Buffer; readonly trace: StoredTrace }>();

  const update = (message: DecodedMessage, change: StoredTrace, mayBeStored: boolean): void => {
    const { source, destination, createdLt } = message;
    // Only messages between accounts can be located.
    if (!source || !destination) return;
    const key = messageKey({ source, destination, createdLt });
    const id = key.toString("latin1");
    const before = traces.get(id)?.trace ?? (mayBeStored ? stored(key) : {});
    traces.set(id, { key, trace: { ...before, ...change } });
  };

  const stored = (key: Buffer): StoredTrace => {
    const record = messages.get(key);
    return record ? traceRecord.decode(record) : {};
  };

  return {
    produced: (message, lt) => update(message, { producerLt: lt }, false),
    consumed: (message, lt) => update(message, { consumerLt: lt }, true),
    write: () => {
      for (const { key, trace } of traces.values()) messages.putSync(key, traceRecord.encode(trace));
    },
  };
}
