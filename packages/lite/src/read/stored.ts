/** Accounts and transactions as stores return them, with their cells as bags of cells. */

import { writeBoc } from "@chain-query/format/cells";
import type { DecodedMessage } from "@chain-query/format/messages";
import type { AccountId, Message, ReadAccount, ReadTransaction } from "@chain-query/format/store";
import type { LiteAccount, LiteTransaction } from "./accounts.ts";

/** The state of an account. An account that does not exist is uninitialized and empty. */
export function accountState(account: AccountId, { account: found, ...more }: LiteAccount): ReadAccount {
  const { last, isSuspended, block } = more;
  const known = { account, last, isSuspended, block };
  if (found === undefined) return { ...known, status: "uninitialized", balance: 0n, extraCurrencies: [] };
  const { code, data, ...rest } = found;
  return {
    ...rest,
    ...known,
    ...(code === undefined ? {} : { code: writeBoc(code) }),
    ...(data === undefined ? {} : { data: writeBoc(data) }),
  };
}

/** A transaction with its messages. */
export function transactionOf(found: LiteTransaction): ReadTransaction {
  const { account, id, previous, time, fee, storageFee, cell, inMessage, outMessages } = found;
  return {
    account,
    id,
    previous,
    time,
    fee,
    storageFee,
    data: writeBoc(cell),
    ...(inMessage === undefined ? {} : { inMessage: messageOf(inMessage) }),
    outMessages: outMessages.map(messageOf),
  };
}

function messageOf({ body, initState, ...rest }: DecodedMessage): Message {
  return { ...rest, body: writeBoc(body), ...(initState === undefined ? {} : { initState: writeBoc(initState) }) };
}
