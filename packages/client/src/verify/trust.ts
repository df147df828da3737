/** What the verifying client needs of a trust store. It is not in the declarations of the entry, which name no type of other packages. */
import type { BlockId } from "@chain-query/format/identifiers";
import type { ProvedStateBlock } from "@chain-query/proof/blocks";
import type { Schemas } from "@chain-query/types";
import type { ChainClient } from "../client.ts";
import type { CallOptions } from "../options.ts";
import type { Network, TrustStore } from "./trust-options.ts";

export interface Trust extends TrustStore {
  readonly network: Network;
  readonly zeroState: BlockId;
  /** The newest head so far, whose age is not checked. Throws after a fork. */
  newest(): ProvedStateBlock | undefined;
  isRecent(head: ProvedStateBlock): boolean;
  /**
   * Verifies the head of an answer.
   *
   * @param claim - Undefined if the answer is as of the head that the request had.
   * @param before - The newest head when the request was sent: an answer is not as of an older one.
   */
  accept(
    claim: Schemas["ProofHead"] | undefined,
    before: ProvedStateBlock | undefined,
    client: ChainClient,
    options: CallOptions | undefined,
  ): Promise<ProvedStateBlock>;
}
