/** The records of the rows `chain` and `head`. The order of the fields in a description is their order on disk. */
import { createHash } from "node:crypto";
import { hex } from "@chain-query/format/cells";
import { shardName } from "@chain-query/format/identifiers";
import {
  type BlockHeader,
  blockId,
  headerRecord,
  list,
  type RecordIo,
  type RecordType,
  recordType,
  zeroStateHeader,
} from "@chain-query/format/store";
import { type IndexedChain, type IndexHead, PostgresStoreError } from "../types.ts";
import { type Queryable, query } from "./client.ts";
import { READ_CHAIN, READ_HEAD } from "./statements.ts";

/** The row of the chain. */
export interface StoredChain extends IndexedChain {
  readonly zeroAccounts: ZeroAccounts;
}

/** The accounts of the zero state. No transaction refers to their rows, so only these sums reveal a missing row. */
export interface ZeroAccounts {
  readonly count: number;
  /** The sum of the SHA-256 hashes of the rows, their key and then their record, modulo 2^256: the same in every order. */
  readonly digest: Uint8Array;
}

/** Computes the count and digest of accounts of the zero state. */
export class ZeroAccountsSum {
  #count = 0;
  #sum = 0n;

  add(key: Uint8Array, record: Uint8Array): void {
    const hash = createHash("sha256").update(key).update(record).digest("hex");
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${hash}`));
    this.#count += 1;
  }

  get value(): ZeroAccounts {
    return { count: this.#count, digest: Buffer.from(this.#sum.toString(16).padStart(64, "0"), "hex") };
  }
}

export const chainRecord: RecordType<StoredChain> = recordType(512, (io, chain) => ({
  time: io.u32(chain?.time),
  retentionSeconds: io.u32(chain?.retentionSeconds),
  masterchain: blockId(io, chain?.masterchain),
  shards: list(io, io.u32(chain?.shards.length), chain?.shards, blockId),
  zeroAccounts: { count: io.u32(chain?.zeroAccounts.count), digest: io.hash(chain?.zeroAccounts.digest) },
}));

/** The record of the head's row. The row has the seqno as a column; the first of the shards is the masterchain. */
export type StoredHead = Pick<IndexHead, "transactionCount" | "shards">;

export const headRowRecord: RecordType<StoredHead> = recordType(1024, (io, head) => ({
  transactionCount: io.u64(head?.transactionCount),
  shards: list(io, io.u32(head?.shards.length), head?.shards, nestedHeader),
}));

/** The header of a block, as a field of other records. */
export function nestedHeader(io: RecordIo, value?: BlockHeader): BlockHeader {
  return headerRecord.decode(io.bytes(value && headerRecord.encode(value)));
}

/** The head before the first step: the zero states count as blocks 0, as in the LMDB store. */
export function genesisHead({ masterchain, shards, time }: IndexedChain): StoredHead {
  return { transactionCount: 0n, shards: [masterchain, ...shards].map((id) => zeroStateHeader(id, time)) };
}

/** The row of the head, which changes in the transaction of the steps. */
export interface HeadRow extends StoredHead {
  /** The newest written step. */
  readonly seqno: number;
  /** Of the newest lease. */
  readonly epoch: bigint;
}

/** Undefined before the first writer. */
export async function readHead(sql: Queryable, lock = ""): Promise<HeadRow | undefined> {
  const [row] = await query<{ seqno: number; epoch: bigint; record: Buffer }>(sql, READ_HEAD + lock);
  return row && { seqno: row.seqno, epoch: row.epoch, ...headRowRecord.decode(row.record) };
}

/** Undefined before the first writer. */
export async function readChain(sql: Queryable): Promise<StoredChain | undefined> {
  const [row] = await query<{ record: Buffer }>(sql, READ_CHAIN);
  return row && chainRecord.decode(row.record);
}

/** Returns a row of an index that has one. @throws PostgresStoreError of kind "schema". */
export function begun<Stored>(row: Stored | undefined): Stored {
  if (row === undefined) throw new PostgresStoreError("schema", "the database has no chain yet");
  return row;
}

/** Whether an index has a chain. @throws PostgresStoreError if it has another one. */
export async function isBegun(sql: Queryable, genesis: IndexedChain): Promise<boolean> {
  const chain = await readChain(sql);
  if (chain) checkSameChain(chain, genesis);
  return chain !== undefined;
}

/** The retention is not part of the identity of a chain. */
function checkSameChain(stored: IndexedChain, chain: IndexedChain): void {
  const idsOf = ({ masterchain, shards }: IndexedChain): string =>
    [masterchain, ...shards]
      .map((id) => `${shardName(id)} ${hex(id.rootHash)}`)
      .sort()
      .join(", ");
  const [found, expected] = [idsOf(stored), idsOf(chain)];
  if (found !== expected)
    throw new PostgresStoreError(
      "other-chain",
      `the database has another chain: its zero states are ${found}, expected ${expected}`,
    );
}
