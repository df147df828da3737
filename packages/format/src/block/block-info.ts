import type { Cell } from "../cells/cell.ts";
import { CellBuilder } from "../cells/cell-builder.ts";
import { writeBlockRef } from "../state/block-ref.ts";
import { writeShardIdent } from "../state/shard-ident.ts";
import type { ShardState } from "../state/shard-state.ts";
import type { BlockContent } from "./content.ts";

/** TL-B BlockInfo of the block that leads to the state `after`. Shards here neither split nor merge, and nobody votes. */
export function blockInfoCell(content: BlockContent, after: ShardState): Cell {
  const { master } = content;
  const isMaster = after.masterchain !== undefined;
  const builder = new CellBuilder()
    .uint(0x9bc7a987, 32)
    .uint(0, 32)
    .bit(!isMaster)
    .uint(0, 5)
    .bit(content.config !== undefined)
    .uint(0, 1 + 8)
    .uint(after.seqno, 32)
    .uint(0, 32);
  writeShardIdent(builder, after.shard);
  builder
    .uint(content.time, 32)
    .bigUint(content.startLt, 64)
    .bigUint(content.endLt, 64)
    .uint(0, 32)
    .uint(0, 32)
    .uint(after.minRefMasterchainSeqno, 32)
    .uint(after.masterchain?.lastKeyBlock?.seqno ?? 0, 32);
  if (master) builder.ref(writeBlockRef(new CellBuilder(), master).cell());
  return builder.ref(writeBlockRef(new CellBuilder(), content.previous).cell()).cell();
}
