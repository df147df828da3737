import { writeBoc } from "@chain-query/format/cells";
import type { BlockHeader } from "../domain.ts";
import type { AccountCommit, BlockCommit, ChainCommit, ProducerState } from "./commit.ts";
import { accountKey, blockKey, blockLtKey, blockTimeKey, textKey, transactionKey, versionKey } from "./keys.ts";
import { writeAccount } from "./records/account-record.ts";
import { ByteWriter } from "./records/byte-writer.ts";
import { writeHeader } from "./records/header-record.ts";
import { writeTransaction } from "./records/transaction-record.ts";
import { accountRecord, headerRecord, type KeepCell, transactionRecord } from "./step-records.ts";
import type { Tables } from "./tables.ts";
import { type TraceUpdates, traceUpdates } from "./trace-updates.ts";

/** Writes all records of one step but the head. Runs inside a transaction of the store. */
export function putStep(tables: Tables, step: ChainCommit, keepCell: KeepCell): void {
  const { seqno } = step.masterchain.id;
  const traces = traceUpdates(tables.messages);
  for (const block of [...step.shards, step.masterchain]) {
    putHeader(tables, headerRecord(block, seqno));
    tables.blockData.putSync(blockKey(block.id, block.id.seqno), block.boc);
    putTransactions(tables, block, seqno, traces, keepCell);
  }
  traces.write();
  putAccounts(tables, step.accounts, seqno, keepCell);
  putProducerState(tables, step.producer);
}

/** Writes the header of a block and the ways to find it. */
function putHeader(tables: Tables, header: BlockHeader): void {
  const { id, endLt, time } = header;
  const seqno = new ByteWriter(4).u32(id.seqno).finish();
  tables.blocks.putSync(blockKey(id, id.seqno), writeHeader(header));
  tables.blocksByLt.putSync(blockLtKey(id, endLt), seqno);
  tables.blocksByTime.putSync(blockTimeKey(id, time, id.seqno), seqno);
}

function putTransactions(tables: Tables, block: BlockCommit, seqno: number, traces: TraceUpdates, keepCell: KeepCell): void {
  for (const transaction of block.transactions) {
    const { stored, decoded } = transactionRecord(transaction, seqno, keepCell);
    const { lt } = decoded.id;
    tables.transactions.putSync(transactionKey(transaction.account, lt), writeTransaction(stored));
    if (decoded.inMessage) traces.consumed(decoded.inMessage, lt);
    for (const message of decoded.outMessages) traces.produced(message, lt);
  }
}

/** Writes accounts as a masterchain block left them, 0 for the zero state. */
export function putAccounts(tables: Tables, accounts: Iterable<AccountCommit>, seqno: number, keepCell: KeepCell): void {
  for (const commit of accounts) {
    tables.versions.putSync(versionKey(commit.account, seqno), writeAccount(accountRecord(commit, keepCell)));
    tables.accounts.putSync(accountKey(commit.account), commit.boc ?? writeBoc(commit.shardAccount));
  }
}

export function putProducerState(tables: Tables, { put, remove }: ProducerState): void {
  for (const [name, value] of put ?? []) tables.producer.putSync(textKey(name), value);
  for (const name of remove ?? []) tables.producer.removeSync(textKey(name));
}
