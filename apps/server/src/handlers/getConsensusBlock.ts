import type { RequestInputs } from "@chain-query/openapi/requests";
import type { ResultOf } from "@chain-query/types";
import { type Encoded, encodeOnce } from "../answers/encoded.ts";
import type { BlockSummary } from "../chain-source.ts";
import type { Context } from "./context.ts";

const encodeBlock = encodeOnce<BlockSummary, "getConsensusBlock">("getConsensusBlock");

/** The newest block that every node behind the source can answer from (D-20), and its time in whole seconds (D-21). */
export async function getConsensusBlock(
  _: RequestInputs["getConsensusBlock"],
  { source }: Context,
  signal: AbortSignal,
): Promise<Encoded<ResultOf<"getConsensusBlock">>> {
  const block = await source.consensus(signal);
  return encodeBlock(block, () => ({
    "@type": "ext.blocks.consensusBlock",
    consensus_block: block.id.seqno,
    timestamp: block.time,
  }));
}
