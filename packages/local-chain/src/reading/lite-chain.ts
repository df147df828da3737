import { isEqual, sha256 } from "@chain-query/format/cells";
import type { BlockId } from "@chain-query/format/identifiers";
import type { LiteChain } from "@chain-query/lite-server";
import type { ChainReader } from "../domain.ts";

/**
 * A chain as a lite server reads it.
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
    blockData: (id) => (hasBlock(chain, id) ? chain.blockData(id) : undefined),
    state: (id) => (hasBlock(chain, id) ? chain.state(id) : undefined),
  };
}

/** Whether the block with the seqno has both hashes. */
function hasBlock(chain: ChainReader, id: BlockId): boolean {
  const found = id.seqno === 0 ? zeroStateHashes(chain, id) : chain.block(id, id)?.id;
  return found !== undefined && isEqual(found.rootHash, id.rootHash) && isEqual(found.fileHash, id.fileHash);
}

function zeroStateHashes(chain: ChainReader, id: BlockId): Pick<BlockId, "rootHash" | "fileHash"> | undefined {
  const root = chain.state(id);
  const boc = chain.blockData(id);
  return root && boc && { rootHash: root.hash, fileHash: sha256(boc) };
}
