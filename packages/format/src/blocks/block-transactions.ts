/** Looking up transactions in a block: a proof of it has the path to them alone. */
import type { Cell } from "../cells/cell.ts";
import { CellReader, readTag } from "../cells/cell-reader.ts";
import { skipCurrencies } from "../currencies.ts";
import { lookUp, readEntries } from "../dictionaries/hashmap.ts";
import { ACCOUNT_BLOCK_TAG } from "./account-blocks.ts";
import { readBlockParts, readExtraParts } from "./block-parts.ts";

/** The position of a transaction in a block. */
export interface TransactionPlace {
  /** The 256 bits of the account's address. */
  readonly account: Uint8Array;
  readonly lt: bigint;
}

/** A transaction of a block. In a proof the cell may be a pruned branch: `hashAt(0)` is the transaction's hash. */
export interface PlacedTransaction extends TransactionPlace {
  readonly cell: Cell;
}

/** Which transactions of a block to read. */
export interface TransactionRange {
  /** Only those after this place in the order of reading. */
  readonly after?: TransactionPlace | undefined;
  /** From the last to the first. */
  readonly falling?: boolean | undefined;
}

/**
 * Looks up a transaction in a block. Does not touch its cell.
 *
 * @returns Undefined if the block does not have it, which is certain in a proof, too.
 * @throws PrunedCellError if a proof does not show whether the block has it.
 *
 * @example
 * const proof = createMerkleProof(block, () => lookUpTransaction(block, address, lt));
 */
export function lookUpTransaction(block: Cell, { account, lt }: TransactionPlace): Cell | undefined {
  const accounts = readAccountBlocks(block);
  const own = accounts && lookUp(accounts, account, 256);
  const leaf = own && lookUp(openAccountBlock(own), ltKey(lt), 64);
  if (!leaf) return undefined;
  skipCurrencies(leaf);
  return leaf.ref();
}

/**
 * Reads the transactions of a block by account and lt, one at a time. Touches none of their cells, and no branch outside the range.
 *
 * @throws PrunedCellError if a proof does not show the next transaction.
 *
 * @example
 * for (const { account, lt, cell } of readTransactions(block, { after, falling: true })) console.log(lt, cell.hashAt(0));
 */
export function* readTransactions(
  block: Cell,
  { after, falling }: TransactionRange = {},
): Generator<PlacedTransaction, void, undefined> {
  const accounts = readAccountBlocks(block);
  if (!accounts) return;
  const first = after && lookUp(accounts, after.account, 256);
  if (first) yield* readOwn(after.account, first, { after: ltKey(after.lt), falling });
  for (const { key, leaf } of readEntries(accounts, 256, { after: after?.account, falling })) {
    yield* readOwn(key, leaf, { falling });
  }
}

function* readOwn(account: Uint8Array, block: CellReader, range: { after?: Uint8Array; falling?: boolean | undefined }) {
  for (const { key, leaf } of readEntries(openAccountBlock(block), 64, range)) {
    skipCurrencies(leaf);
    yield { account, lt: new DataView(key.buffer).getBigUint64(0), cell: leaf.ref() };
  }
}

/** The root of TL-B ShardAccountBlocks, see `buildAccountBlocks`. */
function readAccountBlocks(block: Cell): Cell | undefined {
  return new CellReader(readExtraParts(readBlockParts(block).extra).accountBlocks).maybeRef();
}

/** The root of an account's transactions, which is inline, not in a cell of its own. */
function openAccountBlock(block: CellReader): Cell {
  skipCurrencies(block);
  readTag(block, 4, "AccountBlock", ACCOUNT_BLOCK_TAG);
  return block.skip(256).rest();
}

function ltKey(lt: bigint): Uint8Array {
  const key = new Uint8Array(8);
  new DataView(key.buffer).setBigUint64(0, lt);
  return key;
}
