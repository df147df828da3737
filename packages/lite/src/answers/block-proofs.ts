/** Proofs of masterchain blocks by signatures and by the history of states. */
import { readBlockHeader } from "@chain-query/format/blocks";
import { writeBoc } from "@chain-query/format/cells";
import { lookUp, uint32Key } from "@chain-query/format/dictionaries";
import { type BlockId, isSameBlock, MASTERCHAIN } from "@chain-query/format/identifiers";
import { lookUpPastBlock } from "@chain-query/format/states";
import { selectMasterchainValidators } from "@chain-query/format/validator-groups";
import { prove, proveConfig, proveHeader, proveStateHash } from "../proving/proofs.ts";
import type { LiteAnswer } from "../wire/tl/scheme.ts";
import { type Answers, type LoadedChain, refused } from "./lite-chain.ts";

/** Bits of the mode: the target is in the query; the newest block is the newer of both blocks in the query, not the server's. */
const [WITH_TARGET, WITH_BASE] = [1, 0x1000];
/** Links in an answer. */
export const MAX_LINKS = 16;

type Link = LiteAnswer<"getBlockProof">["steps"][number];

/** Proofs that a masterchain block is on the chain. */
export const blockProofAnswers: Answers<"getBlockProof"> = {
  getBlockProof: (chain, { mode, knownBlock: from, targetBlock }) => {
    const head = chain.head();
    const target = (mode & WITH_TARGET ? targetBlock : undefined) ?? head;
    if (from.workchain !== -1 || target.workchain !== -1) throw refused("both blocks must be masterchain blocks");
    // Throws for a block that the chain does not have.
    for (const id of [from, target]) chain.tree(id);
    if (!chain.isSigned)
      throw refused("this chain has no validators; make one with signatures: chain-query-local-chain init --validators 4");
    const newest = mode & WITH_BASE ? later(from, target) : head;
    const steps: Link[] = [];
    let at = from;
    while (!isSameBlock(at, target) && steps.length < MAX_LINKS) {
      const link = linkTowards(chain, at, target, newest);
      steps.push(link);
      at = link.to;
    }
    return { complete: isSameBlock(at, target), from, to: at, steps };
  },
};

function later(one: BlockId, other: BlockId): BlockId {
  return one.seqno > other.seqno ? one : other;
}

/**
 * The next link: back to the target or to the key block before, or forward to the next key block or, without one, to the target.
 * Nodes keep signatures of key blocks only, so a target before the next key block is reached by a link back from there.
 */
function linkTowards(chain: LoadedChain, at: BlockId, target: BlockId, newest: BlockId): Link {
  if (target.seqno < at.seqno) return linkBack(chain, at, target);
  const keys = keyBlocks(chain, newest);
  const key = keys.findLast((seqno) => seqno <= at.seqno) ?? 0;
  if (key < at.seqno) return linkBack(chain, at, blockAt(chain, key));
  const next = keys.find((seqno) => seqno > at.seqno);
  return linkForward(chain, at, next === undefined ? target : blockAt(chain, next));
}

/** A masterchain block by its number; 0 is the zero state. */
export function blockAt(chain: LoadedChain, seqno: number): BlockId {
  return seqno === 0 ? chain.zeroState() : chain.get(MASTERCHAIN, { seqno });
}

/** The known key blocks of a chain, rising, from the zero state on. */
const knownKeyBlocks = new WeakMap<LoadedChain, number[]>();

/** The numbers of the key blocks up to a block, rising; the zero state is the first one. */
export function keyBlocks(chain: LoadedChain, upTo: BlockId): readonly number[] {
  const known = knownKeyBlocks.get(chain) ?? [0];
  knownKeyBlocks.set(chain, known);
  const newest = known.at(-1) ?? 0;
  const header = (id: BlockId) => readBlockHeader(chain.block(id).root);
  const newer: number[] = [];
  let at = upTo.seqno === 0 || header(upTo).isKey ? upTo.seqno : header(upTo).previousKeySeqno;
  for (; at > newest; at = header(blockAt(chain, at)).previousKeySeqno) newer.push(at);
  known.push(...newer.reverse());
  return known.filter((seqno) => seqno <= upTo.seqno);
}

function linkForward(chain: LoadedChain, from: BlockId, to: BlockId): Link {
  const { root } = chain.block(to);
  const { catchainSeqno, isKey } = readBlockHeader(root);
  const { proof: configProof } = proveConfig(from, chain.tree(from), (config, keep) => {
    selectMasterchainValidators(config, catchainSeqno);
    // Clients read the whole sets, as nodes send them.
    for (const set of [34, 35].map((id) => lookUp(config, uint32Key(id), 32)?.ref())) if (set) keep(set);
  });
  const proofs = { destProof: writeBoc(proveHeader(root)), configProof: writeBoc(configProof) };
  return { type: "blockLinkForward", toKeyBlock: isKey, from, to, ...proofs, signatures: chain.signatures(to) };
}

function linkBack(chain: LoadedChain, from: BlockId, to: BlockId): Link {
  const root = to.seqno === 0 ? undefined : chain.block(to).root;
  const { value: past, proof: stateProof } = prove(chain.state(from), (state) => lookUpPastBlock(state, to.seqno));
  if (!past || !isSameBlock(past, to)) throw refused("the target block is not in the history of the known block");
  return {
    type: "blockLinkBack",
    toKeyBlock: root === undefined || readBlockHeader(root).isKey,
    ...{ from, to },
    destProof: root ? writeBoc(proveHeader(root)) : new Uint8Array(),
    proof: writeBoc(proveStateHash(chain.block(from).root)),
    stateProof: writeBoc(stateProof),
  };
}
