import type { RequestInputs } from "@chain-query/openapi/requests";
import type { ResultOf } from "@chain-query/types";
import { type Encoded, encodeOnce } from "../answers/encoded.ts";
import type { Head } from "../chain-source.ts";
import { blockIdExt } from "../convert/block-id.ts";
import { base64 } from "../convert/bytes.ts";
import type { Context } from "./context.ts";

const encodeHead = encodeOnce<Head, "getMasterchainInfo">("getMasterchainInfo");

/** The head of the masterchain, and its zero state. */
export async function getMasterchainInfo(
  _: RequestInputs["getMasterchainInfo"],
  { source, blockType }: Context,
  signal: AbortSignal,
): Promise<Encoded<ResultOf<"getMasterchainInfo">>> {
  const head = await source.head(signal);
  const genesis = await source.genesis(signal);
  return encodeHead(head, () => ({
    "@type": "blocks.masterchainInfo",
    last: blockIdExt(blockType, head.block.id),
    state_root_hash: base64(head.block.stateRootHash),
    init: blockIdExt(blockType, genesis.block),
  }));
}
