import { UsageError } from "../cli-options.ts";
import type { AccountId, ChainReader, Transaction } from "../domain.ts";
import type { Described } from "./described.ts";
import type { Inspected } from "./inspected.ts";
import { accountNamed } from "./names.ts";
import { address, base64, cells, currencies, transactionName } from "./words.ts";

/** How many transactions are shown of an account. */
const SHOWN = 10;

/** An account as of the head, with its newest transactions. */
export function describeAccount({ chain }: Inspected, name: string): Described {
  const account = accountNamed(name);
  const state = chain.account(account);
  if (!state) throw new UsageError(`--account "${name}": the chain has no block yet`);
  const newest = newestOf(chain, account);
  return {
    account: address(account),
    status: state.status,
    balance: `${state.balance}`,
    extra_currencies: currencies(state.extraCurrencies),
    code: state.code && cells(state.code),
    data: state.data && cells(state.data),
    frozen_hash: state.frozenHash && base64(state.frozenHash),
    last_transaction: state.last.lt === 0n ? "none" : transactionName(account, state.last),
    transactions: newest.map(({ id, fee, outMessages }) => `${id.lt}  fee ${fee}, ${outMessages.length} messages sent`),
  };
}

function newestOf(chain: ChainReader, account: AccountId): Transaction[] {
  const newest: Transaction[] = [];
  for (const transaction of chain.transactions(account)) {
    newest.push(transaction);
    if (newest.length === SHOWN) break;
  }
  return newest;
}
