import { type BlockHeader, readBlockHeader, readBlockParts, readBlockShards } from "@chain-query/format/blocks";
import { type Cell, createMerkleProof, writeBoc } from "@chain-query/format/cells";
import {
  type BlockId,
  type BlockSelector,
  intersects,
  isSameBlock,
  MASTERCHAIN,
  namedBlock,
  type ShardId,
  shardName,
  smallestWithin,
} from "@chain-query/format/identifiers";
import { lookUpPastBlock, lookUpShard } from "@chain-query/format/states";
import { previousIn } from "@chain-query/proof/blocks";
import { type Proved, proofCache, prove, proveHeader, proveStateHash, touch } from "../proving/proofs.ts";
import type { LiteAnswer } from "../wire/tl/scheme.ts";
import { type Answers, CODES, failure, type LoadedChain, refused } from "./lite-chain.ts";

/** Bits of a header's mode: further parts of the proof. */
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

function selectorOf(mode: number, seqno: number, lt: bigint | undefined, utime: number | undefined): BlockSelector {
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

/** Shard blocks between two masterchain blocks. */
const MAX_LINKS = 8;

/** Proofs that blocks are on the chain: of a look-up from a masterchain block of the client, or from the one that commits the block. */
export const blockLinkAnswers: Answers<"lookupBlockWithProof" | "getShardBlockProof"> = {
  lookupBlockWithProof: (chain, { mode, id: asked, mcBlockId, lt, utime }) => {
    if (mcBlockId.workchain !== -1) throw refused("masterchain block id must be specified");
    const selector = selectorOf(mode, asked.seqno, lt, utime);
    const id = chain.get(asked, selector);
    const header = readBlockHeader(chain.block(id).root);
    const master = findMaster(chain, id, header, mcBlockId);
    const previous = "seqno" in selector ? undefined : previousIn(asked, header.readPrevious());
    return {
      id,
      mode,
      mcBlockId: master,
      ...proveMaster(chain, master, mcBlockId),
      shardLinks: writeLinks(proveLinks(chain, master, id)),
      header: writeBoc(proveHeader(chain.block(id).root)),
      prevHeader: previous && previous.seqno > 0 ? writeBoc(proveHeader(chain.block(previous).root)) : new Uint8Array(),
    };
  },
  getShardBlockProof: (chain, { id }) => {
    const masterchainId = findMaster(chain, id, readBlockHeader(chain.block(id).root), chain.head());
    return { masterchainId, links: writeLinks(proveLinks(chain, masterchainId, id)) };
  },
};

/** The masterchain block that first commits a block: itself, or the first whose shards include it. */
export function findMaster(chain: LoadedChain, id: BlockId, header: BlockHeader, trusted: BlockId): BlockId {
  const master = header.readMaster();
  const tooOld = () => failure(CODES.plain, "specified mc block is older than block's masterchain ref");
  if (!master) {
    if (id.seqno > trusted.seqno) throw tooOld();
    return id;
  }
  const commits = (seqno: number): boolean => {
    const shards = readBlockShards(chain.block(masterBlock(chain, seqno, trusted)).root);
    const top = lookUpShard(shards, smallestWithin(id))?.block;
    return top !== undefined && top.seqno >= id.seqno;
  };
  let low = master.seqno + 1;
  let step = 1;
  // Mostly the first block; otherwise an exponential search, then a binary search.
  for (let high = low; ; high = Math.min(high + step, trusted.seqno)) {
    if (high > trusted.seqno) throw tooOld();
    if (commits(high)) return masterBlock(chain, firstIn(low, high, commits), trusted);
    if (high === trusted.seqno) throw tooOld();
    low = high + 1;
    step *= 2;
  }
}

/** The first number for which a condition holds; it holds at `high`. */
function firstIn(low: number, high: number, holds: (value: number) => boolean): number {
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function masterBlock(chain: LoadedChain, seqno: number, trusted: BlockId): BlockId {
  return seqno === trusted.seqno ? trusted : chain.get(MASTERCHAIN, { seqno });
}

/** Proves that a masterchain block is an ancestor of the trusted block; empty for the trusted block itself. */
function proveMaster(chain: LoadedChain, master: BlockId, trusted: BlockId) {
  if (isSameBlock(master, trusted)) return { clientMcStateProof: new Uint8Array(), mcBlockProof: new Uint8Array() };
  const { value: past, proof } = prove(chain.state(trusted), (state) => lookUpPastBlock(state, master.seqno));
  if (!past || !isSameBlock(past, master)) throw failure(CODES.plain, "client mc blkid is not in prev_blocks");
  return {
    clientMcStateProof: writeBoc(proveStateHash(chain.block(trusted).root)),
    mcBlockProof: writeBoc(proof),
  };
}

/** A block, and the proof that the block before it in a chain of links leads to it. */
interface ShardLink {
  readonly id: BlockId;
  readonly proof: Cell;
}

function writeLinks(links: readonly ShardLink[]): LiteAnswer<"getShardBlockProof">["links"] {
  return links.map(({ id, proof }) => ({ id, proof: writeBoc(proof) }));
}

const linkProofs = proofCache<Proved<BlockId | undefined>>();

/** Proves the links from the masterchain block to the newest block of the shard, then from block to block. Empty for a masterchain block. */
export function proveLinks(chain: LoadedChain, master: BlockId, target: BlockId): readonly ShardLink[] {
  const links: ShardLink[] = [];
  for (let at = master; !isSameBlock(at, target); ) {
    if (links.length === MAX_LINKS) throw refused("proof chain is too long");
    const { root } = chain.block(at);
    const from = at;
    const { value: next, proof } = linkProofs(root, shardName(target), () =>
      prove(root, (block) => readLink(block, from, target)),
    );
    if (!next) throw refused("failed to find block chain");
    links.push({ id: next, proof });
    at = next;
  }
  return links;
}

function readLink(block: Cell, at: BlockId, target: ShardId): BlockId | undefined {
  if (at.workchain !== -1)
    return readBlockHeader(block)
      .readPrevious()
      .find((previous) => intersects(previous, target));
  const top = lookUpShard(readBlockShards(block), smallestWithin(target));
  return top && namedBlock(top, top.block);
}
