import { readBlockParts, readBlockShards } from "@chain-query/format/blocks";
import { createMerkleProof, writeBoc } from "@chain-query/format/cells";
import type { BlockId } from "@chain-query/format/identifiers";
import { refused } from "../failure.ts";
import type { LiteChainSelector } from "../lite-chain.ts";
import type { LoadedChain } from "../loaded-chain.ts";
import { touch } from "../proofs.ts";
import type { Answers } from "./answer.ts";

/** Bits of a header's mode: what the proof has beside the header. */
const WITH = { stateUpdate: 1, valueFlow: 2, extra: 16, shards: 32 } as const;

/** Blocks by id, number, lt or time, and zero states. */
export const blockAnswers: Answers<"getBlock" | "getState" | "getBlockHeader" | "lookupBlock"> = {
  getBlock: (chain, { id }) => ({ id, data: chain.blockData(id) }),
  getState: (chain, { id }) => {
    if (id.seqno !== 0) throw refused("cannot request total state: possibly too large");
    const { rootHash, fileHash } = id;
    return { id, rootHash, fileHash, data: chain.blockData(id) };
  },
  getBlockHeader: (chain, { id, mode }) => ({ id, mode, headerProof: proveHeaderParts(chain, id, mode) }),
  lookupBlock: (chain, { mode, id, lt, utime }) => {
    const found = chain.get(id, selectorOf(mode, id.seqno, lt, utime));
    return { id: found, mode: mode >> 4, headerProof: proveHeaderParts(chain, found, mode >> 4) };
  },
};

/** The block that a look-up asks for. */
export function selectorOf(mode: number, seqno: number, lt: bigint | undefined, utime: number | undefined): LiteChainSelector {
  const kind = mode & 7;
  if (kind === 1) return { seqno: seqno >>> 0 };
  if (kind === 2 && lt !== undefined) return { lt: BigInt.asUintN(64, lt) };
  if (kind === 4 && utime !== undefined) return { time: utime >>> 0 };
  throw refused("exactly one of mode.0, mode.1 and mode.2 bits must be set");
}

function proveHeaderParts(chain: LoadedChain, id: BlockId, mode: number): Uint8Array {
  const proof = createMerkleProof(chain.block(id).root, (block, keep) => {
    const { info, stateUpdate, flow, extra } = readBlockParts(block);
    keep(info);
    if (mode & WITH.stateUpdate) touch(stateUpdate);
    if (mode & WITH.valueFlow) keep(flow);
    if (!(mode & WITH.extra)) return;
    touch(extra);
    if (id.workchain !== -1) return;
    const shards = readBlockShards(block);
    if (shards && mode & WITH.shards) keep(shards);
  });
  return writeBoc(proof);
}
