import type { LiteChain } from "@chain-query/lite/answers";
import type { ChainReader } from "../domain.ts";
import { blockSignatures } from "XXXpackages/lite/src/answers/signing-chain.ts";

/**
 * A chain for a lite server.
 *
 * @param chain - The caller closes it, after the lite server.
 *
 * @example
 * const chain = openChain("my-chain");
 * const server = await startLiteServer({ chain: liteChain(chain), key, host: "127.0.0.1", port: 4443 });
 */
export function liteChain(chain: ChainReader): LiteChain {
  return {
    // A step commits the masterchain block and all blocks that it names at once.
    head: () => chain.head().block.id,
    zeroState: () => chain.genesis().block,
    findBlock: (shard, selector) => chain.block(shard, selector)?.id,
    blockData: (id) => chain.blockData(id),
    state: (id) => chain.state(id),
    ...(chain.signers(1) && { signatures: (id) => blockSignatures(chain, id) }),
  };
}
