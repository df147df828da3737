import { CellBuilder } from "../cells/cell-builder.ts";
import { Trie } from "../dictionary/trie.ts";
import type { TrieFormat } from "../dictionary/trie-node.ts";
import { CURRENCIES_SUM, type Currencies } from "../state/currencies.ts";
import type { TransactionParts } from "./transaction-parts.ts";

/** What a block did to one account: its transactions, by rising lt. There is one at least. */
interface AccountBlock {
  readonly address: Uint8Array;
  readonly transactions: Trie<TransactionParts, Currencies>;
  /** Hashes of the account's cell before the first and after the last. */
  readonly oldHash: Uint8Array;
  readonly newHash: Uint8Array;
}

/** TL-B ShardAccountBlocks of the transactions of a block, those of one account by rising lt. */
export function accountBlocks(transactions: readonly TransactionParts[]): Trie<AccountBlock, Currencies> {
  const byAccount = Map.groupBy(transactions, ({ account }) => Buffer.from(account).toString("latin1"));
  return Trie.from(
    ACCOUNT_BLOCKS,
    Array.from(byAccount.values(), (own) => {
      const first = own[0] as TransactionParts;
      const last = own[own.length - 1] as TransactionParts;
      const block: AccountBlock = {
        address: first.account,
        transactions: Trie.from(
          TRANSACTIONS,
          own.map((transaction) => [lt64(transaction.lt), transaction] as const),
        ),
        oldHash: first.oldStateHash,
        newHash: last.newStateHash,
      };
      return [first.account, block] as const;
    }),
  );
}

/** TL-B HashmapAug 64 ^Transaction CurrencyCollection. */
const TRANSACTIONS: TrieFormat<TransactionParts, Currencies> = {
  width: 64,
  augmentation: CURRENCIES_SUM,
  extraOf: ({ totalFees }) => totalFees,
  writeValue: (builder, { cell }) => {
    builder.ref(cell);
  },
};

/** TL-B ShardAccountBlocks: by address, with the fees of all as extra. */
const ACCOUNT_BLOCKS: TrieFormat<AccountBlock, Currencies> = {
  width: 256,
  augmentation: CURRENCIES_SUM,
  extraOf: ({ transactions }) => transactions.extra,
  writeValue: (builder, { address, transactions, oldHash, newHash }) => {
    const root = transactions.rootCell();
    if (!root) throw new TypeError("an account without transactions has no part in a block");
    const update = new CellBuilder().uint(0x72, 8).bytes(oldHash).bytes(newHash).cell();
    builder.uint(5, 4).bytes(address).append(root).ref(update);
  },
};

function lt64(lt: bigint): Uint8Array {
  const key = new Uint8Array(8);
  new DataView(key.buffer).setBigUint64(0, lt);
  return key;
}
