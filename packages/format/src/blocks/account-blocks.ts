/** The transactions of a block, by account. */
import { toBinaryString } from "../cells/bytes.ts";
import { CellBuilder } from "../cells/cell-builder.ts";
import { CURRENCIES_SUM, type Currencies } from "../currencies.ts";
import { Trie, type TrieFormat } from "../dictionaries/trie.ts";
import type { TransactionHeader } from "../transactions.ts";

/** See `buildAccountBlocks`. */
export const ACCOUNT_BLOCK_TAG: number = 5;

/** The transactions of one account in a block, by rising lt: at least one. */
interface AccountBlock {
  readonly address: Uint8Array;
  readonly transactions: Trie<TransactionHeader, Currencies>;
  /** Hashes of the account's cell before the first and after the last transaction. */
  readonly oldHash: Uint8Array;
  readonly newHash: Uint8Array;
}

/** The dictionary of a block's transactions. The transactions of each account must be sorted by lt. */
export function buildAccountBlocks(transactions: readonly TransactionHeader[]): Trie<AccountBlock, Currencies> {
  const byAccount = Map.groupBy(transactions, ({ account }) => toBinaryString(account));
  return Trie.from(
    ACCOUNT_BLOCKS,
    Array.from(byAccount.values(), (own) => {
      const first = own[0] as TransactionHeader;
      const last = own[own.length - 1] as TransactionHeader;
      const block: AccountBlock = {
        address: first.account,
        transactions: Trie.from(
          TRANSACTIONS,
          own.map((transaction) => [new CellBuilder().bigUint(transaction.lt, 64).cell().bytes, transaction] as const),
        ),
        oldHash: first.oldStateHash,
        newHash: last.newStateHash,
      };
      return [first.account, block] as const;
    }),
  );
}

/** TL-B `HashmapAug 64 ^Transaction CurrencyCollection`, by lt. */
const TRANSACTIONS: TrieFormat<TransactionHeader, Currencies> = {
  width: 64,
  augmentation: CURRENCIES_SUM,
  extraOf: ({ totalFees }) => totalFees,
  writeValue: (builder, { cell }) => builder.ref(cell),
};

/**
 * TL-B `_ (HashmapAugE 256 AccountBlock CurrencyCollection) = ShardAccountBlocks`, `acc_trans#5 account_addr:bits256
 * transactions:(HashmapAug 64 ^Transaction CurrencyCollection) state_update:^(HASH_UPDATE Account) = AccountBlock`,
 * `update_hashes#72 {X:Type} old_hash:bits256 new_hash:bits256 = HASH_UPDATE X`.
 */
const ACCOUNT_BLOCKS: TrieFormat<AccountBlock, Currencies> = {
  width: 256,
  augmentation: CURRENCIES_SUM,
  extraOf: ({ transactions }) => transactions.extra,
  writeValue: (builder, { address, transactions, oldHash, newHash }) => {
    const root = transactions.rootCell();
    if (!root) throw new TypeError("an AccountBlock needs at least one transaction");
    const update = new CellBuilder().uint(0x72, 8).bytes(oldHash).bytes(newHash).cell();
    builder.uint(ACCOUNT_BLOCK_TAG, 4).bytes(address).append(root).ref(update);
  },
};
