import { readBlockHeader, readBlockShards } from "@chain-query/format/blocks";
import { type Cell, hex, isEqual, readBoc, sha256 } from "@chain-query/format/cells";
import {
  type BlockId,
  type BlockSelector,
  isReached,
  type ShardId,
  type ShardTip,
  smallestWithin,
} from "@chain-query/format/identifiers";
import { lookUpShard, readState, readStateShards } from "@chain-query/format/states";
import { LRUCache } from "lru-cache";
import { LiteError } from "../wire/lite-error.ts";
import type { LiteAnswer, LiteArguments, LiteFunction, LiteSignatureSet } from "../wire/tl/scheme.ts";

/** The chain that a lite server reads: only blocks and states, from which the server reads transactions and makes proofs. */
export interface LiteChain {
  /** The newest masterchain block. */
  head(): BlockId;
  /** The newest masterchain block whose shard blocks can be read too; absent if this is the head. Nodes apply shard blocks later. */
  readonly shardHead?: () => BlockId;
  /** The zero state of the masterchain: seqno 0, its root hash and its file hash. */
  zeroState(): BlockId;
  /**
   * Finds a block. If the shard is smaller than those of the chain, such as the prefix of an account, the block is of the shard that
   * contains it.
   */
  findBlock(shard: ShardId, selector: BlockSelector): BlockId | undefined;
  /**
   * The block with this shard and number as a bag of cells; a zero state for seqno 0. Undefined if the chain has no such block. The
   * server compares the hashes.
   */
  blockData(id: BlockId): Uint8Array | undefined;
  /**
   * The root of the shard's state after a block with seqno > 0. The queue of messages may be a pruned branch, so the state's hash is
   * `hashAt(0)`.
   */
  state(id: BlockId): Cell | undefined;
  /** The signatures of a masterchain block. Undefined if it has no signatures; absent if the chain has no validators. */
  readonly signatures?: (id: BlockId) => LiteSignatureSet | undefined;
}

/** The newest masterchain block whose shard blocks can be read. */
export function shardHeadOf(chain: LiteChain): BlockId {
  return chain.shardHead?.() ?? chain.head();
}

interface LoadedBlock {
  readonly id: BlockId;
  readonly boc: Uint8Array;
  readonly root: Cell;
}

/** Memory for decoded blocks. Cells take about this many times the bytes of their bag. */
const [CACHE_BYTES, CELLS_PER_BYTE] = [32_000_000, 8];
/** States share most cells with each other, so their number counts. */
const STATES = 16;

/**
 * Decodes the blocks and states of a chain once, and verifies the id of each. All methods throw a `LiteError` for a block that the
 * chain does not have.
 */
export class LoadedChain {
  readonly #chain: LiteChain;
  readonly #blocks: LRUCache<string, LoadedBlock>;
  readonly #states = new LRUCache<string, Cell>({ max: STATES });

  constructor(chain: LiteChain) {
    this.#chain = chain;
    this.#blocks = new LRUCache({
      maxSize: CACHE_BYTES,
      sizeCalculation: ({ boc }) => boc.length * CELLS_PER_BYTE,
    });
  }

  head(): BlockId {
    return this.#chain.head();
  }

  shardHead(): BlockId {
    return shardHeadOf(this.#chain);
  }

  zeroState(): BlockId {
    return this.#chain.zeroState();
  }

  /** A block by its id. A zero state is not a block. */
  block(id: BlockId): LoadedBlock {
    if (id.seqno === 0) throw this.#missing(id);
    return this.#load(id);
  }

  /** The root of a block or of a zero state. */
  tree(id: BlockId): Cell {
    return this.#load(id).root;
  }

  /** The bag of cells of a block or of a zero state. */
  blockData(id: BlockId): Uint8Array {
    return this.#load(id).boc;
  }

  state(id: BlockId): Cell {
    const key = blockKey(id);
    const known = this.#states.get(key);
    if (known) return known;
    const { root } = this.#load(id);
    if (id.seqno === 0) return root;
    const state = this.#chain.state(id);
    if (!state) throw this.#missing(id);
    this.#states.set(key, state);
    return state;
  }

  get isSigned(): boolean {
    return this.#chain.signatures !== undefined;
  }

  signatures(id: BlockId): LiteSignatureSet {
    const set = this.#chain.signatures?.(id);
    if (!set) throw refused(`block ${formatBlock(id)} has no signatures`);
    return set;
  }

  /** The block that a selector describes; undefined if the chain does not have it yet. */
  find(shard: ShardId, selector: BlockSelector): BlockId | undefined {
    if (shard.shard === 0n) throw refused("the shard of the block id is invalid");
    return this.#chain.findBlock(shard, selector);
  }

  /** Finds a block, or throws if the chain does not have it. */
  get(shard: ShardId, selector: BlockSelector): BlockId {
    const id = this.find(shard, selector);
    if (id) return id;
    throw this.notFound(shard, selector);
  }

  notFound(shard: ShardId, selector: BlockSelector): LiteError {
    const [[name, value]] = Object.entries(selector) as [[string, number | bigint]];
    return this.#notReady(`cannot find block ${formatShard(shard)} ${name}=${value}: not in db`, shard, selector);
  }

  /** The error for a missing block. Of one that it may have later, this server says how far it is, as nodes do. */
  #notReady(message: string, shard: ShardId, selector: BlockSelector): LiteError {
    const head = this.#chain.head();
    const shardHead = this.shardHead();
    const newest = shard.workchain === -1 ? this.#newestOfMaster(head) : this.#newestOfShard(shardHead, shard);
    if (!newest || isReached(newest, selector)) return failure(CODES.notReady, message);
    const known =
      shard.workchain === -1
        ? `last known masterchain block: ${head.seqno}`
        : `possibly out of sync: shard_client_seqno=${shardHead.seqno} ls_seqno=${head.seqno}`;
    return failure(CODES.notReady, `${message} (${known})`);
  }

  #newestOfMaster(head: BlockId): ShardTip {
    const block = this.#peek(head);
    return block && head.seqno > 0 ? readBlockHeader(block) : { seqno: head.seqno, endLt: 0n, time: 0 };
  }

  #newestOfShard(head: BlockId, shard: ShardId): ShardTip | undefined {
    const block = this.#peek(head);
    if (!block) return undefined;
    const top = lookUpShard(head.seqno === 0 ? readStateShards(block) : readBlockShards(block), smallestWithin(shard));
    return top && { ...top.block, time: top.time };
  }

  /** A block or a zero state, without an error if it is missing. */
  #peek(id: BlockId): Cell | undefined {
    const known = this.#blocks.get(blockKey(id))?.root;
    const boc = known ? undefined : this.#chain.blockData(id);
    return known ?? (boc && readBoc(boc));
  }

  /** Reads a block or a zero state, and compares it with its id: the chain finds it by shard and number. */
  #load(id: BlockId): LoadedBlock {
    const key = blockKey(id);
    const known = this.#blocks.get(key);
    if (known) return known;
    const boc = id.seqno >= 0 && id.shard !== 0n ? this.#chain.blockData(id) : undefined;
    if (!boc) throw this.#missing(id);
    const zeroState = id.seqno === 0 ? this.#states.get(key) : undefined;
    if (zeroState) return { id, boc, root: zeroState };
    if (!isEqual(sha256(boc), id.fileHash)) throw this.#missing(id);
    const block: LoadedBlock = { id, boc, root: readBoc(boc) };
    if (!isEqual(block.root.hash, id.rootHash) || !hasPlace(block)) throw this.#missing(id);
    // A zero state may be too large for the cache of blocks.
    if (id.seqno === 0) this.#states.set(key, block.root);
    else this.#blocks.set(key, block);
    return block;
  }

  #missing(id: BlockId): LiteError {
    return this.#notReady(`block ${formatBlock(id)} is not in db`, id, { seqno: id.seqno });
  }
}

/** Answers one function from a chain. Throws a `LiteError` if it refuses the arguments. */
export type Answer<Name extends LiteFunction> = (chain: LoadedChain, args: LiteArguments<Name>) => LiteAnswer<Name>;

export type Answers<Name extends LiteFunction> = { readonly [Each in Name]: Answer<Each> };

/** Whether a block or a zero state has the number and the shard of its id. */
function hasPlace({ id, root }: LoadedBlock): boolean {
  const { seqno, workchain, shard } = id.seqno === 0 ? { ...readState(root).shard, seqno: 0 } : readBlockHeader(root);
  return seqno === id.seqno && workchain === id.workchain && shard === id.shard;
}

function blockKey(id: BlockId): string {
  return [id.workchain, id.shard, id.seqno, hex(id.rootHash), hex(id.fileHash)].join(":");
}

function formatShard({ workchain, shard }: ShardId): string {
  return `(${workchain},${BigInt.asUintN(64, shard).toString(16).padStart(16, "0")})`;
}

/** A block as lite servers name it in messages. */
function formatBlock(id: BlockId): string {
  const shard = BigInt.asUintN(64, id.shard).toString(16).padStart(16, "0");
  const [root, file] = [id.rootHash, id.fileHash].map((hash) => hex(hash).toUpperCase());
  return `(${id.workchain},${shard},${id.seqno}):${root}:${file}`;
}

/** Error codes of lite servers. */
export const CODES = {
  /** A bad argument, or a transaction that this server does not have. */
  refused: -400,
  /** An error without another code. */
  plain: 0,
  unknownFunction: 621,
  /** The server does not have the block. */
  notReady: 651,
  /** A wait ended without the block. */
  timeout: 652,
  /** An error of the server itself, or a state that was deleted. */
  internal: 602,
} as const;

/** A query that is answered with `liteServer.error`: the error that the client gets. */
export function failure(code: number, message: string): LiteError {
  return new LiteError("refused", message, { code });
}

/** A request that lite servers refuse. */
export function refused(message: string): LiteError {
  return failure(CODES.refused, message);
}
