import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";

/** Logical times of the transactions that produced a message and that consumed it, each of the account that the message names. */
export interface StoredTrace {
  readonly producerLt?: bigint;
  readonly consumerLt?: bigint;
}

/** No transaction has logical time 0, so it stands for none. */
const NONE = 0n;

export function writeTrace({ producerLt, consumerLt }: StoredTrace): Uint8Array {
  return new ByteWriter(16)
    .u64(producerLt ?? NONE)
    .u64(consumerLt ?? NONE)
    .finish();
}

export function readTrace(record: Uint8Array): StoredTrace {
  const reader = new ByteReader(record);
  const producerLt = reader.u64();
  const consumerLt = reader.u64();
  reader.end();
  return { ...(producerLt !== NONE && { producerLt }), ...(consumerLt !== NONE && { consumerLt }) };
}
