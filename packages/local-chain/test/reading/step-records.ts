import { hex, writeBoc } from "@chain-query/format/cells";
import {
  accountRecord,
  cellRecord,
  headerRecord,
  type KeepCell,
  type Step,
  type StepAccount,
  type StepSource,
  storedAccount,
  storedTransaction,
  transactionRecord,
} from "@chain-query/format/store";
import { decodeTransaction } from "@chain-query/format/transactions";
import { chainFileToRead } from "../../src/store/chain-folder.ts";
import { blockKey, transactionKey, versionKey } from "../../src/store/records.ts";
import { openTables } from "../../src/store/tables.ts";

const TABLES = ["transactions", "versions", "blocks", "cells"] as const;

/** Records by table and key, in hexadecimal. */
export type Records = Readonly<Record<(typeof TABLES)[number], ReadonlyMap<string, string>>>;

/** The records of a chain's LMDB file that every store keeps. */
export async function storedRecords(directory: string): Promise<Records> {
  const tables = openTables(chainFileToRead(directory), "read");
  const read = (name: (typeof TABLES)[number]) =>
    new Map(Array.from(tables[name].getRange(), ({ key, value }) => [hex(key), hex(value)] as const));
  const records = Object.fromEntries(TABLES.map((name) => [name, read(name)])) as unknown as Records;
  await tables.root.close();
  return records;
}

/** The records that a store writes from the steps of a source. */
export async function recordsOf(source: StepSource, onStep?: (step: Step) => void): Promise<Records> {
  const records = { transactions: new Map(), versions: new Map(), blocks: new Map(), cells: new Map() } as {
    [Name in keyof Records]: Map<string, string>;
  };
  const put = (name: keyof Records, key: Uint8Array, value: Uint8Array) => records[name].set(hex(key), hex(value));
  const keepCell: KeepCell = (cell) => {
    put("cells", cell.hash, cellRecord.encode(writeBoc(cell)));
    return cell.hash;
  };
  const putAccount = ({ account, shardAccount }: StepAccount, seqno: number) =>
    put("versions", versionKey(account, seqno), accountRecord.encode(storedAccount(shardAccount, keepCell)));
  const putStep = ({ masterchain, shards, accounts }: Step) => {
    const { seqno } = masterchain.id;
    for (const { transactions, ...header } of [...shards, masterchain]) {
      const count = { masterchainSeqno: seqno, transactionCount: transactions.length };
      put("blocks", blockKey(header.id, header.id.seqno), headerRecord.encode({ ...header, ...count }));
      for (const { account, cell } of transactions) {
        const decoded = decodeTransaction(cell);
        const record = transactionRecord.encode(storedTransaction(decoded, writeBoc(cell), seqno, keepCell));
        put("transactions", transactionKey(account, decoded.id.lt), record);
      }
    }
    for (const account of accounts) putAccount(account, seqno);
  };

  for await (const account of (await source.genesis()).accounts()) putAccount(account, 0);
  const to = await source.newest();
  for await (const step of source.steps({ from: 1, to }, new AbortController().signal)) {
    putStep(step);
    onStep?.(step);
  }
  return records;
}

/** All values of an iteration. */
export async function collected<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}
