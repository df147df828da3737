import { type DecodedAccount, decodeAccount } from "@chain-query/format/accounts";
import { type Cell, CellReader, hex, isEqual } from "@chain-query/format/cells";
import {
  type AccountId,
  type BlockId,
  containsAccount,
  isSameBlock,
  namedBlock,
  smallestShard,
  type TransactionId,
} from "@chain-query/format/identifiers";
import { lookUpAccount, lookUpShard, readStateShards } from "@chain-query/format/states";
import type { LiteAnswer } from "@chain-query/lite-protocol/tl";
import { checked, formatBlock, readData, readProofs, requireBlock, unproven } from "./evidence.ts";
import type { ProvedBlock } from "./header.ts";
import { openState } from "./state.ts";

/** An account with its proof. */
export interface ProvedAccount {
  /** Undefined if the proof shows that the account does not exist. */
  readonly account: DecodedAccount | undefined;
  readonly cell: Cell | undefined;
  /** The last transaction; lt 0 and 32 zero bytes before the first. */
  readonly last: TransactionId;
  /** The block of the state; undefined for a zero state. */
  readonly block: ProvedBlock | undefined;
  /** The block of the account's shard; the same for a masterchain account. Undefined for a zero state. */
  readonly shardBlock: ProvedBlock | undefined;
}

/**
 * Checks the state of an account as of a masterchain block. Only another path in the dictionary of accounts proves its absence: a pruned
 * branch proves nothing.
 */
export function checkAccountState(
  asked: { readonly at: BlockId; readonly account: AccountId },
  answer: LiteAnswer<"getAccountState">,
): ProvedAccount {
  return checked("an account's proof", () => {
    const { at, account } = asked;
    requireBlock("the block of an account", answer.id, at);
    const block = isSameBlock(answer.shardblk, at) ? undefined : checkShardBlock(at, account, answer);
    if (!containsAccount(answer.shardblk, account)) {
      throw unproven(`the block ${formatBlock(answer.shardblk)} cannot hold account ${account.workchain}:${hex(account.hash)}`);
    }
    const opened = openState(answer.shardblk, readProofs(answer.proof, 2));
    const found = readAccount(opened.state, account, answer.state);
    return { ...found, block: block ? block.block : opened.block, shardBlock: opened.block };
  });
}

/** Checks that the masterchain registers the shard's block as the newest one of the account's shard. */
function checkShardBlock(
  at: BlockId,
  account: AccountId,
  { shardblk, shardProof }: LiteAnswer<"getAccountState">,
): { readonly block: ProvedBlock | undefined } {
  if (at.workchain !== -1) throw unproven(`the account's block must be ${formatBlock(at)}, got ${formatBlock(shardblk)}`);
  const { state, block } = openState(at, readProofs(shardProof, 2));
  const top = lookUpShard(readStateShards(state), smallestShard(account));
  if (!top) throw unproven(`${formatBlock(at)} has no shard for account ${account.workchain}:${hex(account.hash)}`);
  requireBlock("the newest block of the account's shard", shardblk, namedBlock(top, top.block));
  return { block };
}

function readAccount(state: Cell, { hash }: AccountId, data: Uint8Array): Pick<ProvedAccount, "account" | "cell" | "last"> {
  const entry = lookUpAccount(state, hash);
  if (!entry) {
    if (data.length > 0) throw unproven(`account ${hex(hash)} must be empty, got a state`);
    return { account: undefined, cell: undefined, last: { lt: 0n, hash: new Uint8Array(32) } };
  }
  if (data.length === 0) throw unproven(`account ${hex(hash)} must have a state, got none`);
  const [cell] = readData(data, "account");
  const expected = entry.account.hashAt(0);
  if (!cell || !isEqual(cell.hash, expected)) {
    throw unproven(
      `the state of account ${hex(hash)} must have hash ${hex(expected)}, got ${cell ? hex(cell.hash) : "no cell"}`,
    );
  }
  // `account_none$0` stands for an account without a state.
  const account = new CellReader(cell).bit() ? decodeAccount(cell) : undefined;
  if (account && account.balance !== entry.coins) {
    throw unproven(`account ${hex(hash)} must have a balance of ${entry.coins}, got ${account.balance}`);
  }
  return { account, cell, last: entry.last };
}
