/** Proofs of answers from a chain in a folder. */
import { setImmediate as yieldToEvents } from "node:timers/promises";
import { lookUpTransaction, readBlockHeader } from "@chain-query/format/blocks";
import type { Cell } from "@chain-query/format/cells";
import {
  accountName,
  type BlockId,
  isSameBlock,
  isSameShard,
  MASTERCHAIN,
  type ShardId,
  smallestShard,
} from "@chain-query/format/identifiers";
import { lookUpPastBlock } from "@chain-query/format/states";
import type { AnswerProofs, KeyLink, SignedHeader } from "@chain-query/format/store";
import { selectMasterchainValidators } from "@chain-query/format/validator-groups";
import { previousIn } from "@chain-query/proof/blocks";
import { readConfig } from "@chain-query/proof/signatures";
import { type ProvedAccountCells, proveAccount, proveQueues, type StateTrees } from "../proving/account.ts";
import { makeOnce, proofCache, prove, proveConfig, proveHeader, proveStateHash } from "../proving/proofs.ts";
import { signedHeader } from "../proving/signed-header.ts";
import { blockAt, keyBlocks, MAX_LINKS } from "./block-proofs.ts";
import { findMaster, proveLinks } from "./blocks.ts";
import { LoadedChain } from "./lite-chain.ts";
import { liteChain, type SigningChain } from "./signing-chain.ts";

/**
 * The proofs of a chain that signs its blocks.
 *
 * @returns Undefined if the chain has no validators.
 *
 * @example
 * ```ts
 * const chain = openChain("my-chain");
 * const { cells } = await chainProofs(chain)?.account(account, { hasState: true }, chain.head().block.id, signal);
 * ```
 */
export function chainProofs(chain: SigningChain): AnswerProofs | undefined {
  const signed = liteChain(chain);
  if (signed.signatures === undefined) return undefined;
  const loaded = new LoadedChain(signed);
  const accounts = newestProofs<ProvedAccountCells>();
  const transactions = newestProofs<readonly Cell[]>();
  return {
    head: (head) => signHeader(loaded, head),
    links: (key, head, signal) => proveKeyLinks(loaded, key, head, signal),
    masterchainBlock: (seqno, head) => (seqno === head.seqno ? head : blockAt(loaded, seqno)),
    account: (account, { seqno = Number.POSITIVE_INFINITY, hasState }, head) =>
      accounts(loaded.state(head), `${accountName(account)} ${seqno} ${hasState}`, () => {
        const at = seqno < head.seqno ? blockAt(loaded, seqno) : head;
        const past = at === head ? [] : [provePast(loaded, at, head), ...headerOf(loaded, at)];
        const { cells, last } = proveAccount(loaded.state(at), account, hasState, (block) => treesOf(loaded, block));
        return { cells: [...past, ...cells], last };
      }),
    block: (shard, selector, head) => {
      const id = loaded.get(shard, selector);
      const before = "time" in selector ? previousIn(shard, readBlockHeader(loaded.block(id).root).readPrevious()) : undefined;
      const previous = before && before.seqno > 0 ? [proveHeader(loaded.block(before).root)] : [];
      return [...proveBlock(loaded, id, head), ...previous];
    },
    transaction: ({ account, lt }, head) =>
      transactions(loaded.state(head), `${accountName(account)} ${lt}`, () => {
        const id = loaded.get(smallestShard(account), { lt });
        const { proof } = prove(loaded.block(id).root, (block) => lookUpTransaction(block, { account: account.hash, lt }));
        return [...proveBlock(loaded, id, head), proof];
      }),
    queues: (shards, head) => proveAllQueues(loaded, shards, head),
  };
}

/** Proofs that are kept of the newest head: each takes about 20 kB, with its cells and their text. */
const MOST_OF_HEAD = 1_000;

/** Caches proofs as of the newest head, and so their texts: programs ask for the same accounts until the head moves. */
function newestProofs<Value>(): (master: Cell, key: string, make: () => Value) => Value {
  const known = new Map<string, Value>();
  let newest: Cell | undefined;
  return (master, key, make) => {
    if (master !== newest) known.clear();
    newest = master;
    return makeOnce(known, MOST_OF_HEAD, key, make);
  };
}

/** A block is signed once, when it is asked for. */
const signedHeaders = proofCache<SignedHeader>();

function signHeader(chain: LoadedChain, id: BlockId): SignedHeader {
  const { root } = chain.block(id);
  return signedHeaders(root, "", () => {
    const { previousKeySeqno, catchainSeqno } = readBlockHeader(root);
    const key = blockAt(chain, previousKeySeqno);
    const group = selectMasterchainValidators(readConfig(key, chain.tree(key)), catchainSeqno);
    return signedHeader(id, proveStateHash(root), group, chain.signatures(id));
  });
}

async function proveKeyLinks(
  chain: LoadedChain,
  key: number,
  head: BlockId,
  signal: AbortSignal,
): Promise<readonly KeyLink[] | undefined> {
  const keys = keyBlocks(chain, head);
  if (key >= head.seqno || !keys.includes(key)) return undefined;
  const links: KeyLink[] = [];
  for (let at = key; at < head.seqno && links.length < MAX_LINKS; ) {
    const next = keys.find((seqno) => seqno > at) ?? head.seqno;
    links.push(proveKeyLink(chain, blockAt(chain, at), blockAt(chain, next)));
    at = next;
    // A link takes about a millisecond.
    await yieldToEvents();
    signal.throwIfAborted();
  }
  return links;
}

/** Links by the block to which they lead. Clients that begin at one key block get the same ones. */
const keyLinks = proofCache<KeyLink>();

function proveKeyLink(chain: LoadedChain, from: BlockId, to: BlockId): KeyLink {
  const { root } = chain.block(to);
  return keyLinks(root, "", () => {
    const { catchainSeqno } = readBlockHeader(root);
    const { proof: config } = proveConfig(from, chain.tree(from), (parameters) =>
      selectMasterchainValidators(parameters, catchainSeqno),
    );
    return { config, head: signHeader(chain, to) };
  });
}

/** The state after a block, with the block's header. */
function treesOf(chain: LoadedChain, id: BlockId): StateTrees {
  return { headers: headerOf(chain, id), state: chain.state(id) };
}

const pastProofs = proofCache<Cell>();

/** Proves that a masterchain block is an ancestor of the head. */
function provePast(chain: LoadedChain, { seqno }: BlockId, head: BlockId): Cell {
  const state = chain.state(head);
  return pastProofs(state, String(seqno), () => prove(state, (root) => lookUpPastBlock(root, seqno)).proof);
}

/** A header that shows the hash of the state. The id of a zero state, which has no header, is that hash. */
function headerOf(chain: LoadedChain, id: BlockId): Cell[] {
  return id.seqno === 0 ? [] : [proveStateHash(chain.block(id).root)];
}

/** The masterchain block that commits a block, and the proofs from there to its header: the same as of each head. */
const paths = new WeakMap<Cell, { readonly master: BlockId; readonly cells: readonly Cell[] }>();

function proveBlock(chain: LoadedChain, id: BlockId, head: BlockId): Cell[] {
  const { root } = chain.block(id);
  let path = paths.get(root);
  if (!path || path.master.seqno > head.seqno) {
    const master = findMaster(chain, id, readBlockHeader(root), head);
    path = { master, cells: [...proveLinks(chain, master, id).map(({ proof }) => proof), proveHeader(root)] };
    paths.set(root, path);
  }
  const past = isSameBlock(path.master, head) ? [] : [provePast(chain, path.master, head)];
  return [...past, ...path.cells];
}

/** By masterchain state: the answer as of a head is the same for all. */
const queueProofs = proofCache<readonly Cell[]>();

function proveAllQueues(chain: LoadedChain, shards: readonly ShardId[], head: BlockId): readonly Cell[] {
  const master = chain.state(head);
  const others = shards.filter((shard) => !isSameShard(shard, MASTERCHAIN));
  return queueProofs(master, "", () => proveQueues(master, others, (block) => treesOf(chain, block)));
}
