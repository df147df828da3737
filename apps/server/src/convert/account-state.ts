import type { AccountState } from "@chain-query/local-chain";
import type { Schemas } from "@chain-query/types";
import { type BlockType, blockIdExt } from "./block-id.ts";
import { base64 } from "./bytes.ts";
import { extraCurrencies } from "./message.ts";
import { transactionId } from "./transaction.ts";

/** The state of an account, with the masterchain block as of which it was read (D-44). */
export function fullAccountState(type: BlockType, state: AccountState): Schemas["raw.fullAccountState"] {
  return {
    "@type": "raw.fullAccountState",
    balance: String(state.balance),
    extra_currencies: extraCurrencies(state.extraCurrencies),
    last_transaction_id: transactionId(state.last),
    block_id: blockIdExt(type, state.block.id),
    code: base64(state.code),
    data: base64(state.data),
    frozen_hash: base64(state.frozenHash),
    sync_utime: state.block.time,
    state: state.status,
  };
}
