import type { ShardAccount } from "../accounts.ts";
import { writeBoc } from "../cells/bag-of-cells.ts";
import { sha256 } from "../cells/bytes.ts";
import type { Cell, Digest } from "../cells/cell.ts";
import { CellBuilder } from "../cells/cell-builder.ts";
import { CellReader, readTag } from "../cells/cell-reader.ts";
import { type Currencies, readCurrencies, writeCurrencies } from "../currencies.ts";
import { readEntries } from "../dictionaries/hashmap.ts";
import type { Trie, TrieFormat } from "../dictionaries/trie.ts";
import {
  type BlockId,
  type BlockRef,
  readShardIdent,
  type ShardId,
  type TransactionId,
  writeBlockRef,
  writeShardIdent,
} from "../identifiers.ts";
import type { PublicLibrary } from "./libraries.ts";
import { type ProcessedUpto, processedInfo, type QueuedMessage } from "./message-queue.ts";
import { type ShardDescription, writeShardHashes } from "./shards.ts";

/** The state of a shard, or of the masterchain, after a block. Immutable: a block makes a new one, which shares most branches. */
export interface ShardState {
  /** Id of the network. */
  readonly globalId: number;
  readonly shard: ShardId;
  /** Number of the block after which this is the state; 0 for a zero state. */
  readonly seqno: number;
  /** Time of that block in Unix seconds; time of genesis for a zero state. */
  readonly time: number;
  /** End lt of that block; 0 for a zero state. */
  readonly lt: bigint;
  readonly minRefMasterchainSeqno: number;
  readonly queue: Trie<QueuedMessage, bigint>;
  /** By rising shard and masterchain number. */
  readonly processed: readonly ProcessedUpto[];
  readonly accounts: Trie<ShardAccount, Currencies>;
  /** All fees that blocks of this shard collected since genesis (in the masterchain: of all shards). */
  readonly totalValidatorFees: Currencies;
  /** The masterchain block that the shard's newest block refers to; undefined in the masterchain and in a zero state. */
  readonly master: BlockRef | undefined;
  /** Only in the masterchain's state. */
  readonly masterchain: MasterchainExtra | undefined;
  /** The block is the last one of the shard: both halves follow. Default: false. */
  readonly isBeforeSplit?: boolean | undefined;
  /** Which of the newest 64 blocks of the shard were overloaded and which underloaded. Default: none of them. */
  readonly load?: LoadHistory | undefined;
}

/** A bit for each of the newest 64 blocks of a shard, the lowest for the newest. */
export interface LoadHistory {
  readonly overloaded: bigint;
  readonly underloaded: bigint;
}

/** The part of the masterchain's state that other states do not have (TL-B McStateExtra). */
export interface MasterchainExtra {
  /** Every shard of the basechain; together they cover it. */
  readonly shards: readonly ShardDescription[];
  /** The 256 bits of the configuration account's address. */
  readonly configAddress: Uint8Array;
  /** Root of the configuration's dictionary (TL-B `Hashmap 32 ^Cell`). */
  readonly config: Cell;
  /** All masterchain blocks before this state's block, by number. */
  readonly past: Trie<PastBlock, PastSum>;
  readonly isAfterKeyBlock: boolean;
  readonly lastKeyBlock: BlockRef | undefined;
  /**
   * All value of the network: balances, messages in queues, and collected fees. `@ton/core` reads it with an additional bit before
   * it, which only succeeds for amounts from 2^56 to 2^62.
   */
  readonly globalBalance: Currencies;
  /** Default: none. See `PUBLIC_LIBRARIES`. */
  readonly libraries?: Trie<PublicLibrary, undefined> | undefined;
}

/** A masterchain block before the current one. */
export interface PastBlock {
  /** Whether the block changed the configuration. */
  readonly isKey: boolean;
  readonly block: BlockRef;
}

/** The extra of the dictionary of past blocks: whether a key block is among them, and the highest end lt. */
export interface PastSum {
  readonly hasKey: boolean;
  readonly maxEndLt: bigint;
}

/**
 * The dictionary of past masterchain blocks, by `uint32Key` of their numbers.
 *
 * TL-B `_ (HashmapAugE 32 KeyExtBlkRef KeyMaxLt) = OldMcBlocksInfo`, `_ key:Bool blk_ref:ExtBlkRef = KeyExtBlkRef`,
 * `_ key:Bool max_end_lt:uint64 = KeyMaxLt`.
 */
export const PAST_BLOCKS: TrieFormat<PastBlock, PastSum> = {
  width: 32,
  augmentation: {
    empty: { hasKey: false, maxEndLt: 0n },
    combine: (left, right) => ({
      hasKey: left.hasKey || right.hasKey,
      maxEndLt: later(left.maxEndLt, right.maxEndLt),
    }),
    write: (builder, { hasKey, maxEndLt }) => builder.bit(hasKey).bigUint(maxEndLt, 64),
  },
  extraOf: ({ isKey, block }) => ({ hasKey: isKey, maxEndLt: block.endLt }),
  writeValue: (builder, { isKey, block }) => writeBlockRef(builder.bit(isKey), block),
};

/** Math.max takes no bigints. */
export function later(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}

/** Root hash and depth of a state. Branches that it shares with a state hashed before cost nothing. */
export function hashState(state: ShardState): Digest {
  return buildState(state, DIGESTS);
}

/** The state as cells. Throws a TypeError if an account is present only as a digest. */
export function encodeState(state: ShardState): Cell {
  return buildState(state, CELLS);
}

/**
 * The state as cells, with a pruned branch in place of its large parts: accounts, queue, configuration and past blocks. Its hash at
 * level 0 is the state's, and `replacePruned` puts parts back.
 */
export function encodePrunedState(state: ShardState): Cell {
  return buildState(state, PRUNED);
}

/** A zero state as a bag of cells, and its id as block 0. Throws a TypeError if an account is present only as a digest. */
export function encodeZeroState(state: ShardState): { readonly id: BlockId; readonly boc: Uint8Array } {
  const root = encodeState(state);
  const boc = writeBoc(root);
  return { id: { ...state.shard, seqno: 0, rootHash: root.hash, fileHash: sha256(boc) }, boc };
}

/** What is written of a state: how its cells are finished, and what stands for its large parts. */
export interface StateForm<Built extends Digest> {
  finish(builder: CellBuilder): Built;
  rootOf(trie: StateDictionary): Digest | undefined;
  config(config: Cell): Digest;
}

/** A large dictionary of a state. */
export type StateDictionary = ShardState["queue"] | ShardState["accounts"] | MasterchainExtra["past"];

const DIGESTS: StateForm<Digest> = {
  finish: (builder) => builder.digest(),
  rootOf: (trie) => trie.rootDigest,
  config: (config) => config,
};

const CELLS: StateForm<Cell> = {
  finish: (builder) => builder.cell(),
  rootOf: (trie) => trie.rootCell(),
  config: (config) => config,
};

const PRUNED: StateForm<Cell> = {
  finish: (builder) => builder.prunedCell(),
  rootOf: (trie) => trie.rootDigest,
  config: ({ hash, depth }) => ({ hash, depth }),
};

/**
 * TL-B `shard_state#9023afe2 global_id:int32 shard_id:ShardIdent seq_no:uint32 vert_seq_no:# gen_utime:uint32 gen_lt:uint64
 * min_ref_mc_seqno:uint32 out_msg_queue_info:^OutMsgQueueInfo before_split:(## 1) accounts:^ShardAccounts
 * ^[ overload_history:uint64 underload_history:uint64 total_balance:CurrencyCollection total_validator_fees:CurrencyCollection
 * libraries:(HashmapE 256 LibDescr) master_ref:(Maybe BlkMasterInfo) ] custom:(Maybe ^McStateExtra) = ShardStateUnsplit`.
 */
export function buildState<Built extends Digest>(state: ShardState, form: StateForm<Built>): Built {
  const accounts = new CellBuilder();
  state.accounts.write(accounts, form.rootOf(state.accounts));
  const builder = new CellBuilder().uint(STATE_TAG, 32).int(state.globalId, 32);
  writeShardIdent(builder, state.shard);
  builder
    .uint(state.seqno, 32)
    .uint(0, 32)
    .uint(state.time, 32)
    .bigUint(state.lt, 64)
    .uint(state.minRefMasterchainSeqno, 32)
    .ref(form.finish(buildQueueInfo(state, form)))
    .bit(state.isBeforeSplit === true)
    .ref(form.finish(accounts))
    .ref(buildTotals(state))
    .maybeRef(state.masterchain && form.finish(buildMcStateExtra(state.masterchain, form)));
  return form.finish(builder);
}

const STATE_TAG = 0x9023afe2;

/**
 * Messages are not deferred, so the dispatch queue is empty.
 *
 * TL-B `_ out_queue:OutMsgQueue proc_info:ProcessedInfo extra:(Maybe OutMsgQueueExtra) = OutMsgQueueInfo`,
 * `out_msg_queue_extra#0 dispatch_queue:DispatchQueue out_queue_size:(Maybe uint48) = OutMsgQueueExtra`,
 * `_ (HashmapAugE 256 AccountDispatchQueue uint64) = DispatchQueue`.
 */
function buildQueueInfo(state: ShardState, form: StateForm<Digest>): CellBuilder {
  const builder = new CellBuilder();
  state.queue.write(builder, form.rootOf(state.queue));
  processedInfo(state.processed).write(builder);
  builder.bit(true).uint(0, 4);
  builder.bit(false).bigUint(0n, 64);
  return builder.bit(true).uint(state.queue.size, 48);
}

function buildTotals(state: ShardState): Cell {
  const { overloaded, underloaded } = state.load ?? { overloaded: 0n, underloaded: 0n };
  const builder = new CellBuilder().bigUint(overloaded, 64).bigUint(underloaded, 64);
  writeCurrencies(builder, state.accounts.extra);
  writeCurrencies(builder, state.totalValidatorFees);
  builder.maybeRef(state.masterchain?.libraries?.rootCell()).bit(state.master !== undefined);
  if (state.master) writeBlockRef(builder, state.master);
  return builder.cell();
}

/**
 * Without validators: their lists are empty, and blocks are not counted by creator.
 *
 * TL-B `masterchain_state_extra#cc26 shard_hashes:ShardHashes config:ConfigParams ^[ flags:(## 16) validator_info:ValidatorInfo
 * prev_blocks:OldMcBlocksInfo after_key_block:Bool last_key_block:(Maybe ExtBlkRef)
 * block_create_stats:(flags . 0)?BlockCreateStats ] global_balance:CurrencyCollection = McStateExtra`.
 */
function buildMcStateExtra(extra: MasterchainExtra, form: StateForm<Digest>): CellBuilder {
  const history = new CellBuilder().uint(0, 16).uint(0, 32).uint(0, 32).bit(false);
  extra.past.write(history, form.rootOf(extra.past));
  history.bit(extra.isAfterKeyBlock).bit(extra.lastKeyBlock !== undefined);
  if (extra.lastKeyBlock) writeBlockRef(history, extra.lastKeyBlock);
  const builder = new CellBuilder().uint(0xcc26, 16);
  writeShardHashes(builder, extra.shards);
  builder.bytes(extra.configAddress).ref(form.config(extra.config)).ref(form.finish(history));
  writeCurrencies(builder, extra.globalBalance);
  return builder;
}

/** A state as read from its root cell. */
export interface StateContents
  extends Pick<ShardState, "globalId" | "shard" | "seqno" | "time" | "lt" | "minRefMasterchainSeqno"> {
  /** TL-B ShardAccounts; in a proof it may be pruned. */
  readonly accounts: Cell;
}

/**
 * Reads the root cell of a state, see `ShardState`. Does not touch other cells, so that it can read a proof.
 *
 * @throws CellError if the cell does not hold a state.
 */
export function readState(root: Cell): StateContents {
  const reader = new CellReader(root);
  readTag(reader, 32, "ShardStateUnsplit", STATE_TAG);
  const globalId = reader.int(32);
  const shard = readShardIdent(reader);
  const seqno = reader.uint(32);
  const time = reader.skip(32).uint(32);
  const lt = reader.bigUint(64);
  const minRefMasterchainSeqno = reader.uint(32);
  reader.ref();
  return { globalId, shard, seqno, time, lt, minRefMasterchainSeqno, accounts: reader.ref() };
}

/** An account of a state. */
export interface StateAccount {
  /** The 256 bits of its address. */
  readonly address: Uint8Array;
  /** TL-B Account. */
  readonly account: Cell;
  readonly last: TransactionId;
}

/**
 * Reads the accounts of a state by rising address. Does not touch the accounts' own cells.
 *
 * @param accounts - TL-B ShardAccounts, see `readState`.
 * @throws PrunedCellError at a pruned branch of the dictionary: in a proof, accounts that are not shown may exist.
 */
export function* readAccounts(accounts: Cell): Generator<StateAccount, void, undefined> {
  const root = new CellReader(accounts).maybeRef();
  for (const { key, leaf } of root ? readEntries(root, 256) : []) {
    readCurrencies(leaf.skip(5));
    yield { address: key, account: leaf.ref(), last: { hash: leaf.bytes(32), lt: leaf.bigUint(64) } };
  }
}
