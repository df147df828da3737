import type { AccountId } from "../domain.ts";

/** A message from outside that waits for a block. */
export interface WaitingMessage {
  /** In the order of arrival, in the whole network. */
  readonly number: number;
  readonly to: AccountId;
  /** Bag of cells. */
  readonly boc: Uint8Array;
}
