import type { Cell } from "../cells/cell.ts";
import { CellBuilder } from "../cells/cell-builder.ts";
import type { Digest } from "../cells/digest.ts";
import type { Trie } from "../dictionary/trie.ts";
import type { ShardId } from "../identifiers/types.ts";
import { type BlockRef, writeBlockRef } from "./block-ref.ts";
import { type Currencies, writeCurrencies } from "./currencies.ts";
import { type MasterchainExtra, masterchainExtraBuilder } from "./masterchain-extra.ts";
import { type ProcessedUpto, processedInfo, type QueuedMessage } from "./message-queue.ts";
import type { ShardAccount } from "./shard-account.ts";
import { writeShardIdent } from "./shard-ident.ts";

/** The state of a shard, or of the masterchain, after a block (TL-B ShardStateUnsplit). Never changed: a block makes a new one. */
export interface ShardState {
  readonly globalId: number;
  readonly shard: ShardId;
  /** Number, time and end lt of the block after which this is the state; 0, genesis and 0 for a zero state. */
  readonly seqno: number;
  readonly time: number;
  readonly lt: bigint;
  readonly minRefMasterchainSeqno: number;
  readonly queue: Trie<QueuedMessage, bigint>;
  /** By rising shard and masterchain number. */
  readonly processed: readonly ProcessedUpto[];
  readonly accounts: Trie<ShardAccount, Currencies>;
  /** All fees that blocks of this shard collected since genesis (in the masterchain: of all shards). */
  readonly totalValidatorFees: Currencies;
  /** The masterchain block that the shard's newest block refers to; absent in the masterchain and in a zero state. */
  readonly master: BlockRef | undefined;
  /** In the masterchain's state only. */
  readonly masterchain: MasterchainExtra | undefined;
}

/** Root hash and depth of a state; costs what changed since a state that shares branches with it was hashed. */
export function stateDigest(state: ShardState): Digest {
  return stateBuilder(state, "digests").digest();
}

/** The state as cells. Throws a TypeError where an account is known by its digest only. */
export function stateCell(state: ShardState): Cell {
  return stateBuilder(state, "cells").cell();
}

function stateBuilder(state: ShardState, as: "cells" | "digests"): CellBuilder {
  const finish = (builder: CellBuilder): Digest => (as === "cells" ? builder.cell() : builder.digest());
  const accounts = new CellBuilder();
  state.accounts.write(accounts, as);
  const builder = new CellBuilder().uint(0x9023afe2, 32).int(state.globalId, 32);
  writeShardIdent(builder, state.shard);
  return builder
    .uint(state.seqno, 32)
    .uint(0, 32)
    .uint(state.time, 32)
    .bigUint(state.lt, 64)
    .uint(state.minRefMasterchainSeqno, 32)
    .ref(finish(queueInfo(state, as)))
    .bit(false)
    .ref(finish(accounts))
    .ref(totals(state))
    .maybeRef(state.masterchain && finish(masterchainExtraBuilder(state.masterchain, as)));
}

/** TL-B OutMsgQueueInfo. */
function queueInfo(state: ShardState, as: "cells" | "digests"): CellBuilder {
  const builder = new CellBuilder();
  state.queue.write(builder, as);
  processedInfo(state.processed).write(builder, "cells");
  return builder.bit(false);
}

/** The part of the state that stands in a cell of its own: history of load, sums, libraries, masterchain block. */
function totals(state: ShardState): Cell {
  const builder = new CellBuilder().bigUint(0n, 64).bigUint(0n, 64);
  writeCurrencies(builder, state.accounts.extra);
  writeCurrencies(builder, state.totalValidatorFees);
  builder.bit(false).bit(state.master !== undefined);
  if (state.master) writeBlockRef(builder, state.master);
  return builder.cell();
}
