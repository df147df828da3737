/** The parts of a state, read one by one: a proof of a reading has no others, and a reading of a proof needs no others. */
import type { Cell } from "../cells/cell.ts";
import { CellError, CellReader, readTag } from "../cells/cell-reader.ts";
import { lookUp, uint32Key } from "../dictionaries/hashmap.ts";
import { type BlockId, type BlockRef, namedBlock, readBlockRef, type TransactionId, WHOLE_WORKCHAIN } from "../identifiers.ts";

/** The cells that the root of a state refers to. */
export interface StateParts {
  /** TL-B OutMsgQueueInfo. */
  readonly queueInfo: Cell;
  /** TL-B ShardAccounts. */
  readonly accounts: Cell;
  /** Sums, histories of load, libraries and the reference to the masterchain. */
  readonly totals: Cell;
  /** TL-B McStateExtra, only in masterchain states. */
  readonly masterchain: Cell | undefined;
}

/** Reads the references of a state's root, see `readState`. */
export function readStateParts(root: Cell): StateParts {
  const reader = new CellReader(root);
  readTag(reader, 32, "ShardStateUnsplit", 0x9023afe2);
  const queueInfo = reader.ref();
  const accounts = reader.ref();
  const totals = reader.ref();
  return { queueInfo, accounts, totals, masterchain: reader.skip(32 + 104 + 32 + 32 + 32 + 64 + 32 + 1).maybeRef() };
}

/** An entry of a state's accounts. */
export interface AccountEntry {
  /** TL-B Account; in a proof it may be a pruned branch: `hashAt(0)` is its hash. */
  readonly account: Cell;
  /** The account's balance in coins, from the augmentation of the dictionary. */
  readonly coins: bigint;
  readonly last: TransactionId;
}

/**
 * Looks up an account in a state. Does not touch the account's own cell.
 *
 * @returns Undefined if the state does not have the account, which is certain in a proof, too.
 * @throws PrunedCellError if a proof does not show whether the state has it.
 */
export function lookUpAccount(state: Cell, address: Uint8Array): AccountEntry | undefined {
  const root = new CellReader(readStateParts(state).accounts).maybeRef();
  const leaf = root && lookUp(root, address, 256);
  if (!leaf) return undefined;
  const coins = leaf.skip(5).coins();
  leaf.maybeRef();
  const account = leaf.ref();
  return { account, coins, last: { hash: leaf.bytes(32), lt: leaf.bigUint(64) } };
}

/** Looks up a masterchain block before the one of this masterchain state; undefined if it does not exist. See `PAST_BLOCKS`. */
export function lookUpPastBlock(state: Cell, seqno: number): (BlockId & BlockRef) | undefined {
  const root = readHistory(state).maybeRef();
  const leaf = root && lookUp(root, uint32Key(seqno), 32);
  // The extra is a bit and an lt, and the value begins with a bit.
  return leaf && namedBlock({ workchain: -1, shard: WHOLE_WORKCHAIN }, readBlockRef(leaf.skip(1 + 64 + 1)));
}

/** The key blocks that a masterchain state names. */
export interface KeyBlocks {
  /** Whether the state's own block is a key block. The zero state counts as one. */
  readonly isAfterKeyBlock: boolean;
  /** The newest key block before the state's own block; undefined in a zero state. */
  readonly lastKeyBlock: BlockRef | undefined;
}

/** Reads the key blocks that a masterchain state names. Does not touch the dictionary of past blocks. */
export function readKeyBlocks(state: Cell): KeyBlocks {
  const history = readHistory(state);
  history.maybeRef();
  const isAfterKeyBlock = history.skip(1 + 64).bit();
  return { isAfterKeyBlock, lastKeyBlock: history.bit() ? readBlockRef(history) : undefined };
}

/** At the dictionary of past blocks. */
function readHistory(state: Cell): CellReader {
  const history = new CellReader(readMasterchainParts(state).history);
  readTag(history, 16, "flags of McStateExtra", 0, 1);
  // ValidatorInfo: two numbers and a bit.
  return history.skip(32 + 32 + 1);
}

/** The dictionary of shards in a masterchain state: its root, undefined if it is empty. Does not touch the dictionary. */
export function readStateShards(state: Cell): Cell | undefined {
  return readMasterchainParts(state).shards;
}

/** The cells that the masterchain's part of a state refers to. */
export interface MasterchainParts {
  /** Root of the dictionary of shards, see `writeShardHashes`; undefined if it is empty. */
  readonly shards: Cell | undefined;
  /** Root of the configuration's dictionary. TL-B `Hashmap 32 ^Cell`. */
  readonly config: Cell;
  /** Holds the dictionary of past blocks. */
  readonly history: Cell;
}

/** Reads the masterchain's part of a state, see `encodeState`. */
export function readMasterchainParts(state: Cell): MasterchainParts {
  const { masterchain } = readStateParts(state);
  if (!masterchain) throw new CellError("the state is not one of the masterchain");
  const reader = new CellReader(masterchain);
  readTag(reader, 16, "McStateExtra", 0xcc26);
  return { shards: reader.maybeRef(), config: reader.ref(), history: reader.ref() };
}

/**
 * Reads the number of messages in the outbound queue (TL-B OutMsgQueueInfo, see `encodeState`); undefined if the state does not hold it.
 */
export function readQueueSize(state: Cell): number | undefined {
  const reader = new CellReader(readStateParts(state).queueInfo);
  reader.maybeRef();
  reader.skip(64).maybeRef();
  if (!reader.bit()) return undefined;
  readTag(reader, 4, "OutMsgQueueExtra", 0);
  reader.maybeRef();
  return reader.skip(64).bit() ? reader.uint(48) : undefined;
}
