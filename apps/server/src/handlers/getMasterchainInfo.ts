import type { Head } from "@chain-query/local-chain";
import type { RequestOf, ResultOf } from "@chain-query/types";
import { blockIdExt } from "../convert/block-id.ts";
import { base64 } from "../convert/bytes.ts";
import { perThing } from "../lasting.ts";
import type { Context } from "./context.ts";

const ofHead = perThing<Head, ResultOf<"getMasterchainInfo">>();

/** The head as it stands, and the zero state from which the chain began. */
export async function getMasterchainInfo(
  _: RequestOf<"getMasterchainInfo">,
  { source, blockType }: Context,
): Promise<ResultOf<"getMasterchainInfo">> {
  const head = await source.head();
  const genesis = await source.genesis();
  return ofHead(head, () => ({
    "@type": "blocks.masterchainInfo",
    last: blockIdExt(blockType, head.block.id),
    state_root_hash: base64(head.block.stateRootHash),
    init: blockIdExt(blockType, genesis.block),
  }));
}
