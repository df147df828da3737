import { type BlockHeader, readBlockHeader, readBlockShards } from "@chain-query/format/blocks";
import { type Cell, writeBoc } from "@chain-query/format/cells";
import {
  type BlockId,
  intersects,
  isSameBlock,
  MASTERCHAIN,
  namedBlock,
  type ShardId,
  smallestWithin,
} from "@chain-query/format/identifiers";
import { lookUpPastBlock, lookUpShard } from "@chain-query/format/states";
import { refused } from "../failure.ts";
import type { LoadedChain } from "../loaded-chain.ts";
import { prove, proveHeader, proveStateHash } from "../proofs.ts";
import type { Answers } from "./answer.ts";
import { selectorOf } from "./blocks.ts";

/** Shard blocks between two masterchain blocks. */
const MAX_LINKS = 8;

/** Finds a block, and proves from a masterchain block that it is on the chain and that it is the one asked for. */
export const blockLookupAnswers: Answers<"lookupBlockWithProof"> = {
  lookupBlockWithProof: (chain, { mode, id: asked, mcBlockId, lt, utime }) => {
    if (mcBlockId.workchain !== -1) throw refused("masterchain block id must be specified");
    const selector = selectorOf(mode, asked.seqno, lt, utime);
    const id = chain.get(asked, selector);
    const header = readBlockHeader(chain.block(id).root);
    const master = findMaster(chain, id, header, mcBlockId);
    const previous = "seqno" in selector ? undefined : choosePrevious(header, asked);
    return {
      id,
      mode,
      mcBlockId: master,
      ...proveMaster(chain, master, mcBlockId),
      shardLinks: proveLinks(chain, master, id),
      header: writeBoc(proveHeader(chain.block(id).root)),
      prevHeader: previous && previous.seqno > 0 ? writeBoc(proveHeader(chain.block(previous).root)) : new Uint8Array(),
    };
  },
};

/** The masterchain block that first commits a block: itself, or the first whose shards include it. */
function findMaster(chain: LoadedChain, id: BlockId, header: BlockHeader, trusted: BlockId): BlockId {
  const master = header.readMaster();
  const tooOld = () => refused("specified mc block is older than block's masterchain ref");
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
  // Mostly the first one; otherwise the steps double, and the last of them is halved.
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

/** Proves that a masterchain block is an ancestor of the trusted one; empty if it is that one. */
function proveMaster(chain: LoadedChain, master: BlockId, trusted: BlockId) {
  if (isSameBlock(master, trusted)) return { clientMcStateProof: new Uint8Array(), mcBlockProof: new Uint8Array() };
  const { value: past, proof } = prove(chain.state(trusted), (state) => lookUpPastBlock(state, master.seqno));
  if (!past || !isSameBlock(past, master)) throw refused("client mc blkid is not in prev_blocks");
  return {
    clientMcStateProof: writeBoc(proveStateHash(chain.block(trusted).root)),
    mcBlockProof: writeBoc(proof),
  };
}

/** From the masterchain block to the newest block of the shard, then from block to block. Empty for a masterchain block. */
function proveLinks(chain: LoadedChain, master: BlockId, target: BlockId) {
  const links: { readonly id: BlockId; readonly proof: Uint8Array }[] = [];
  for (let at = master; !isSameBlock(at, target); ) {
    if (links.length === MAX_LINKS) throw refused("proof chain is too long");
    const { value: next, proof } = prove(chain.block(at).root, (root) => readLink(root, at, target));
    if (!next) throw refused("failed to find block chain");
    links.push({ id: next, proof: writeBoc(proof) });
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

/** The block before it in the shard of the account whose address begins with the bits of the shard that was asked for. */
function choosePrevious(header: BlockHeader, { workchain, shard }: ShardId): BlockId | undefined {
  const account = { workchain, shard: BigInt.asIntN(64, (BigInt.asUintN(64, shard) & ~15n) | 8n) };
  return header.readPrevious().find((block) => intersects(block, account));
}
