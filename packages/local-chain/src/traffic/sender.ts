import { decodeShardAccount } from "@chain-query/format/accounts";
import { readBoc } from "@chain-query/format/cells";
import { walletSeqno } from "../contracts/wallet.ts";
import type { ExtraCurrency } from "../domain.ts";

/** What the owner of a wallet knows of it. */
export interface SenderState {
  /** Does the account have its contract yet? A wallet without it brings it along. */
  readonly isDeployed: boolean;
  readonly balance: bigint;
  readonly extraCurrencies: readonly ExtraCurrency[];
  /** Number of the next order. */
  readonly seqno: number;
}

/** Below this, a wallet rests. */
const LEAST_BALANCE = 50_000_000n;

/**
 * What the owner of a wallet sees before ordering something; undefined where the wallet has too little to send anything.
 *
 * @param account - Bag of cells (TL-B ShardAccount) in base64.
 */
export function senderState(account: string): SenderState | undefined {
  const { status, balance, extraCurrencies, data } = decodeShardAccount(readBoc(Buffer.from(account, "base64")));
  if (status === "frozen" || balance < LEAST_BALANCE) return undefined;
  const isDeployed = status === "active";
  return { isDeployed, balance, extraCurrencies, seqno: isDeployed && data ? walletSeqno(data) : 0 };
}
