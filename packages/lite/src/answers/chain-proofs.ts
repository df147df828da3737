/** Proofs of answers from a chain in a folder. */
import { setImmediate as yieldToEvents } from "node:timers/promises";
import { decodeAccount, isSuspended, readSuspendedList } from "@chain-query/format/accounts";
import { lookUpTransaction, readBlockConfig, readBlockHeader } from "@chain-query/format/blocks";
import type { Cell } from "@chain-query/format/cells";
import {
  type AccountId,
  type BlockId,
  type BlockSelector,
  isSameBlock,
  isSameShard,
  MASTERCHAIN,
  namedBlock,
  type ShardId,
  smallestShard,
  type TransactionId,
} from "@chain-query/format/identifiers";
import {
  lookUpAccount,
  lookUpPastBlock,
  lookUpShard,
  readMasterchainParts,
  readQueueSize,
  readState,
  readStateShards,
} from "@chain-query/format/states";
import type { AccountProofOptions, AnswerProofs, KeyLink, SignedHeader } from "@chain-query/format/store";
import { selectMasterchainValidators } from "@chain-query/format/validators";
import { signedHeader } from "../wire/signed-header.ts";
import { blockAt, keyBlocks, proveConfig } from "./block-proofs.ts";
import { choosePrevious, findMaster, proveLinks } from "./blocks.ts";
import { LoadedChain } from "./lite-chain.ts";
import { prove, proveHeader, proveStateHash } from "./proofs.ts";
import { liteChain, type SigningChain } from "./signing-chain.ts";

/** Links in an answer. */
const MAX_LINKS = 16;

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
  return {
    head: (head) => signHeader(loaded, head),
    links: (key, head, signal) => proveKeyLinks(loaded, key, head, signal),
    masterchainBlock: (seqno, head) => (seqno === head.seqno ? head : blockAt(loaded, seqno)),
    account: (account, options, head) => proveAccount(loaded, account, options, head),
    block: (shard, selector, head) => proveBlock(loaded, shard, selector, head),
    transaction: ({ account, lt }, head) => {
      const shard = smallestShard(account);
      const { root } = loaded.block(loaded.get(shard, { lt }));
      const { proof } = prove(root, (block) => lookUpTransaction(block, { account: account.hash, lt }));
      return [...proveBlock(loaded, shard, { seqno: readBlockHeader(root).seqno }, head), proof];
    },
    queues: (shards, head) => proveQueues(loaded, shards, head),
  };
}

/** A block is signed once, when it is asked for. */
const signedHeaders = new WeakMap<Cell, SignedHeader>();

function signHeader(chain: LoadedChain, id: BlockId): SignedHeader {
  const { root } = chain.block(id);
  const known = signedHeaders.get(root);
  if (known) return known;
  const { previousKeySeqno, catchainSeqno } = readBlockHeader(root);
  const group = selectMasterchainValidators(configAfter(chain, blockAt(chain, previousKeySeqno)), catchainSeqno);
  const signed = signedHeader(id, proveStateHash(root), group, chain.signatures(id));
  signedHeaders.set(root, signed);
  return signed;
}

function configAfter(chain: LoadedChain, key: BlockId): Cell {
  const { config } = readMasterchainParts(chain.state(key));
  return key.seqno === 0 ? config : (readBlockConfig(chain.block(key).root) ?? config);
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
    const to = blockAt(chain, next);
    const { catchainSeqno } = readBlockHeader(chain.block(to).root);
    const config = proveConfig(chain, blockAt(chain, at), (parameters) => {
      selectMasterchainValidators(parameters, catchainSeqno);
    });
    links.push({ config, head: signHeader(chain, to) });
    at = next;
    // A link takes about a millisecond.
    await yieldToEvents();
    signal.throwIfAborted();
  }
  return links;
}

const NO_TRANSACTION: TransactionId = { lt: 0n, hash: new Uint8Array(32) };

function proveAccount(
  chain: LoadedChain,
  account: AccountId,
  { seqno = Number.POSITIVE_INFINITY, hasState }: AccountProofOptions,
  head: BlockId,
) {
  const at = seqno < head.seqno ? blockAt(chain, seqno) : head;
  const cells = at === head ? [] : provePast(chain, at, head);
  let last = NO_TRANSACTION;
  const readAccount = (state: Cell): void => {
    const entry = lookUpAccount(state, account.hash);
    if (entry) last = entry.last;
    if (entry && hasState) decodeAccount(entry.account);
  };
  const { value: shard, proof } = prove(chain.state(at), (state) => {
    if (hasState) isSuspended(readSuspendedList(readMasterchainParts(state).config), account, readState(state).time);
    if (account.workchain !== -1) return lookUpShard(readStateShards(state), smallestShard(account));
    readAccount(state);
    return undefined;
  });
  cells.push(proof);
  if (shard) {
    const block = namedBlock(shard, shard.block);
    cells.push(...headerOf(chain, block), prove(chain.state(block), readAccount).proof);
  }
  return { cells, last };
}

/** Proves that a masterchain block is an ancestor of the head, and shows its header. */
function provePast(chain: LoadedChain, at: BlockId, head: BlockId): Cell[] {
  return [prove(chain.state(head), (state) => lookUpPastBlock(state, at.seqno)).proof, ...headerOf(chain, at)];
}

/** A header that shows the hash of the state. The id of a zero state, which has no header, is that hash. */
function headerOf(chain: LoadedChain, id: BlockId): Cell[] {
  return id.seqno === 0 ? [] : [proveStateHash(chain.block(id).root)];
}

function proveBlock(chain: LoadedChain, shard: ShardId, selector: BlockSelector, head: BlockId): Cell[] {
  const id = chain.get(shard, selector);
  const { root } = chain.block(id);
  const header = readBlockHeader(root);
  const master = findMaster(chain, id, header, head);
  const past = isSameBlock(master, head) ? [] : provePast(chain, master, head).slice(0, 1);
  const before = "time" in selector ? choosePrevious(header, shard) : undefined;
  const links = proveLinks(chain, master, id).map(({ proof }) => proof);
  const previous = before && before.seqno > 0 ? [proveHeader(chain.block(before).root)] : [];
  return [...past, ...links, proveHeader(root), ...previous];
}

function proveQueues(chain: LoadedChain, shards: readonly ShardId[], head: BlockId): Cell[] {
  const { value: tops, proof } = prove(chain.state(head), (state) => {
    readQueueSize(state);
    return shards
      .filter((shard) => !isSameShard(shard, MASTERCHAIN))
      .flatMap((shard) => lookUpShard(readStateShards(state), shard) ?? []);
  });
  const ofShards = tops.flatMap((top) => {
    const block = namedBlock(top, top.block);
    return [...headerOf(chain, block), prove(chain.state(block), readQueueSize).proof];
  });
  return [proof, ...ofShards];
}
