import type { Trie } from "../dictionary/trie.ts";
import { addCurrencies, type Currencies } from "../state/currencies.ts";
import { type MasterchainExtra, pastKey } from "../state/masterchain-extra.ts";
import type { QueuedMessage } from "../state/message-queue.ts";
import type { ShardState } from "../state/shard-state.ts";
import type { BlockContent, BlockTransaction } from "./content.ts";

/** The state after a block. */
export function nextState(content: BlockContent, queue: Trie<QueuedMessage, bigint>, feesCollected: Currencies): ShardState {
  const { before, processed = before.processed } = content;
  const seqno = before.seqno + 1;
  const masterchain = before.masterchain && nextExtra(content, before.masterchain);
  return {
    ...before,
    seqno,
    time: content.time,
    lt: content.endLt,
    minRefMasterchainSeqno: Math.min(
      content.master?.seqno ?? seqno,
      ...processed.map(({ masterchainSeqno }) => masterchainSeqno),
      ...(masterchain?.shards ?? []).map(({ minRefMasterchainSeqno }) => minRefMasterchainSeqno),
    ),
    queue,
    processed,
    accounts: nextAccounts(before.accounts, content.transactions),
    totalValidatorFees: addCurrencies(before.totalValidatorFees, feesCollected),
    master: content.master,
    masterchain,
  };
}

/** Checks on the way that every transaction goes on from the account as it was. */
function nextAccounts(before: ShardState["accounts"], transactions: readonly BlockTransaction[]): ShardState["accounts"] {
  let accounts = before;
  for (const { transaction, account } of transactions) {
    const { account: address, oldStateHash, newStateHash } = transaction;
    const old = accounts.get(address);
    if (old && !isEqual(old.account.hash, oldStateHash)) throw mismatch(address, "does not go on from the account's state");
    if (account && !isEqual(account.account.hash, newStateHash))
      throw mismatch(address, "does not lead to the account's state");
    accounts = account ? accounts.set(address, account) : accounts.delete(address);
  }
  return accounts;
}

function nextExtra(content: BlockContent, extra: MasterchainExtra): MasterchainExtra {
  const { previous, config } = content;
  const isKey = config !== undefined;
  const past = { isKey: extra.isAfterKeyBlock, block: previous };
  return {
    ...extra,
    shards: content.shards ?? extra.shards,
    config: config ?? extra.config,
    past: extra.past.set(pastKey(previous.seqno), past),
    isAfterKeyBlock: isKey,
    lastKeyBlock: past.isKey ? previous : extra.lastKeyBlock,
  };
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

function mismatch(address: Uint8Array, what: string): RangeError {
  return new RangeError(`a transaction of account ${Buffer.from(address).toString("hex")} ${what}`);
}
