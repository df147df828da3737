/** The records of the rows `chain` and `head`. The order of the fields in a description is their order on disk. */
import {
  type BlockHeader,
  blockId,
  headerRecord,
  list,
  type RecordIo,
  type RecordType,
  recordType,
  zeroStateHeader,
} from "@chain-query/chain-store";
import type { IndexedChain, IndexHead } from "./types.ts";
import type { ZeroAccounts } from "./zero-accounts.ts";

/** The row of the chain. */
export interface StoredChain extends IndexedChain {
  readonly zeroAccounts: ZeroAccounts;
}

export const chainRecord: RecordType<StoredChain> = recordType(512, (io, chain) => ({
  time: io.u32(chain?.time),
  retentionSeconds: io.u32(chain?.retentionSeconds),
  masterchain: blockId(io, chain?.masterchain),
  shards: list(io, io.u32(chain?.shards.length), chain?.shards, blockId),
  zeroAccounts: { count: io.u32(chain?.zeroAccounts.count), digest: io.hash(chain?.zeroAccounts.digest) },
}));

/** What the head's row has beside its seqno: the masterchain's newest block is the first of the shards. */
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
