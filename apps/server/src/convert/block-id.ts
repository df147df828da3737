import type { BlockId } from "@chain-query/chain-store";
import type { Schemas } from "@chain-query/types";
import { base64 } from "./bytes.ts";

/** The `@type` of a block id: the name of the network, a dot and `blockIdExt` (D-01). */
export type BlockType = Schemas["chain.blockIdExt"]["@type"];

/** The id of a block. The zero state of the masterchain has the shard "0" (D-22). */
export function blockIdExt(
  type: BlockType,
  { workchain, shard, seqno, rootHash, fileHash }: BlockId,
): Schemas["chain.blockIdExt"] {
  return {
    "@type": type,
    workchain,
    shard: seqno === 0 && workchain === -1 ? "0" : String(shard),
    seqno,
    root_hash: base64(rootHash),
    file_hash: base64(fileHash),
  };
}
