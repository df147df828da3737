import { readBlockHeader } from "@chain-query/format/blocks";
import { type Cell, hex, readBoc } from "@chain-query/format/cells";
import type { BlockId, ShardId } from "@chain-query/format/identifiers";
import { LRUCache } from "lru-cache";
import { type LiteFailure, notReady, refused } from "./failure.ts";
import type { LiteChain, LiteChainSelector } from "./lite-chain.ts";

/** A block with its root cell. */
export interface LoadedBlock {
  readonly id: BlockId;
  readonly boc: Uint8Array;
  readonly root: Cell;
}

/** Cells take about this many times the bytes of their bag. */
const CELLS_PER_BYTE = 8;
/** States share most cells with each other, so their number counts. */
const STATES = 16;

/** A chain whose blocks and states are decoded once. All methods throw a `LiteFailure` for a block that the chain does not have. */
export class LoadedChain {
  readonly #chain: LiteChain;
  readonly #blocks: LRUCache<string, LoadedBlock>;
  readonly #states = new LRUCache<string, Cell>({ max: STATES });

  /** @param cacheBytes - Memory for decoded blocks. */
  constructor(chain: LiteChain, cacheBytes: number) {
    this.#chain = chain;
    this.#blocks = new LRUCache({
      // LRUCache takes 0 for no limit; with 1, no block is kept.
      maxSize: Math.max(1, Math.ceil(cacheBytes)),
      sizeCalculation: ({ boc }) => boc.length * CELLS_PER_BYTE,
    });
  }

  head(): BlockId {
    return this.#chain.head();
  }

  zeroState(): BlockId {
    return this.#chain.zeroState();
  }

  /** A block by its id. That of a zero state has no block. */
  block(id: BlockId): LoadedBlock {
    const key = blockKey(id);
    const known = this.#blocks.get(key);
    if (known) return known;
    const boc = id.seqno > 0 && id.shard !== 0n ? this.#chain.blockData(id) : undefined;
    if (!boc) throw this.#missing(id);
    const block: LoadedBlock = { id, boc, root: readBoc(boc) };
    if (!isNamed(block)) throw this.#missing(id);
    this.#blocks.set(key, block);
    return block;
  }

  /** The bag of cells of a block or of a zero state. */
  blockData(id: BlockId): Uint8Array {
    if (id.seqno !== 0) return this.block(id).boc;
    const boc = id.shard === 0n ? undefined : this.#chain.blockData(id);
    if (!boc) throw this.#missing(id);
    return boc;
  }

  /** The root of the state after a block. */
  state(id: BlockId): Cell {
    const key = blockKey(id);
    const known = this.#states.get(key);
    if (known) return known;
    // A block that has the id must exist first.
    if (id.seqno !== 0) this.block(id);
    const state = id.shard === 0n ? undefined : this.#chain.state(id);
    if (!state) throw this.#missing(id);
    this.#states.set(key, state);
    return state;
  }

  /** The block that a selector describes; undefined if the chain does not have it yet. */
  find(shard: ShardId, selector: LiteChainSelector): BlockId | undefined {
    if (shard.shard === 0n) throw refused("the shard of the block id is invalid");
    return this.#chain.findBlock(shard, selector);
  }

  /** As `find`, for a block that the answer needs. */
  get(shard: ShardId, selector: LiteChainSelector): BlockId {
    const id = this.find(shard, selector);
    if (id) return id;
    const [[name, value]] = Object.entries(selector) as [[string, number | bigint]];
    throw this.notReady(`cannot find block ${formatShard(shard)} with ${name} ${value}: it is not in the db`);
  }

  /** An error for what this server does not have. */
  notReady(message: string): LiteFailure {
    return notReady(message, this.#chain.head().seqno);
  }

  #missing(id: BlockId): LiteFailure {
    return this.notReady(`block ${formatBlock(id)} is not in the db`);
  }
}

/** Whether a block has the number, the shard and the hash of its id. The chain compared only those that it needs to find it. */
function isNamed({ id, root }: LoadedBlock): boolean {
  if (Buffer.compare(root.hash, id.rootHash) !== 0) return false;
  const { seqno, workchain, shard } = readBlockHeader(root);
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
