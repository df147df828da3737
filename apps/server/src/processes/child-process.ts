/** What the service and the process of its block producer tell each other, over Node's IPC channel. */
import type { ChainIdentity } from "../sources/chain-identity.ts";

/** The task of the block producer, as JSON in its only argument. */
export interface ProducerTask {
  readonly chain: string;
  /** Seconds. */
  readonly blockInterval: number;
  /** The chain to continue; absent only at the first start, which may create one. */
  readonly identity?: ChainIdentity;
}

/** Messages of the block producer. */
export type ProducerMessage =
  | { readonly kind: "chain-query:creating"; readonly step: number; readonly of: number }
  | { readonly kind: "chain-query:producing"; readonly identity: ChainIdentity }
  /** The head is later than the clock: the next block is made at `until`, in Unix seconds. */
  | { readonly kind: "chain-query:ahead"; readonly until: number }
  | { readonly kind: "chain-query:block"; readonly seqno: number; readonly transactions: number }
  /** The last one of a process that fails. */
  | { readonly kind: "chain-query:failed"; readonly message: string; readonly isUserError: boolean };
