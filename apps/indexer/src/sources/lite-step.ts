/** Reads a step of a network: the blocks that a masterchain block commits, and the accounts that they change. */

import { buildShardAccount, decodeAccount, NO_ACCOUNT } from "@chain-query/format/accounts";
import { readBlockHeader, readBlockParts, readBlockQueueChange, readBlockShards } from "@chain-query/format/blocks";
import {
  type Cell,
  isEqual,
  openMerkleUpdate,
  PrunedCellError,
  readBoc,
  replacePruned,
  toBinaryString,
} from "@chain-query/format/cells";
import { accountName, blockName, MASTERCHAIN, namedBlock } from "@chain-query/format/identifiers";
import { lookUpAccount, readShardTops } from "@chain-query/format/states";
import {
  type AccountId,
  type BlockId,
  changesOfAccounts,
  isFirstChange,
  readStepTransactions,
  type StepAccount,
  type StepBlock,
  type StepRange,
  type StepTransaction,
} from "@chain-query/format/store";
import { readTransactionHeader } from "@chain-query/format/transactions";
import { type LiteClient, LiteError, type LiteReadOptions } from "@chain-query/lite";
import type { ReadPart } from "./archive-reads.ts";

/** A block before the size of its queue is known. */
export interface LiteStepBlock extends Omit<StepBlock, "queueSize"> {
  /** Previous blocks: two after a merge, one of another shard after a split. */
  readonly before: readonly BlockId[];
  /** The change of the queue of the shard. */
  readonly queueChange: number;
  /** The state after the block, without the cells that the block does not contain. */
  readonly partialState: Cell;
}

/** A step before the sizes of the queues are known. */
export interface LiteStep {
  readonly masterchain: LiteStepBlock;
  readonly shards: readonly LiteStepBlock[];
  readonly accounts: readonly StepAccount[];
}

interface MasterchainBlock {
  readonly block: LiteStepBlock;
  /** The newest block of each shard. */
  readonly tops: readonly BlockId[];
  /** The steps of these blocks, in the same order: a shard may have none in this one. */
  readonly stepsOfTops: readonly number[];
}

/** The newest block of a shard, or of the masterchain. */
export interface LiteTip extends LiteStepBlock {
  /** Its step. */
  readonly masterchainSeqno: number;
}

/** Concurrent queries. */
const READS = 32;
/** Cached masterchain blocks. */
const MASTERCHAIN_BLOCKS = 32;
/** Cached codes of accounts. */
const CODES = 500;
/** Cells of the cached accounts. */
const ACCOUNT_CELLS = 200_000;

/** Reads steps, in any order. */
export interface LiteStepReader {
  step(seqno: number): Promise<LiteStep>;
  /** The masterchain block of a step, and the newest blocks of the shards after it. */
  tips(seqno: number): Promise<{ readonly masterchain: LiteTip; readonly shards: readonly (LiteTip | BlockId)[] }>;
}

/** @param signal - Ends all reads. @param firstTips - See `StepRange`. */
export function liteStepReader(
  client: LiteClient,
  readPart: ReadPart,
  signal: AbortSignal,
  firstTips?: StepRange["firstTips"],
): LiteStepReader {
  const limit = limiter(READS);
  const limited = <Result>(seqno: number, run: (options: LiteReadOptions) => Promise<Result>): Promise<Result> =>
    limit(() => readPart(seqno, (archival) => run({ archival, signal })));
  const inBlocks = blockAccounts();
  const masterchain = new Map<number, Promise<MasterchainBlock>>();

  /** The id of a masterchain block, verified as an ancestor of the head. Takes no query if the block after it is being read, or was. */
  const masterchainId = async (seqno: number): Promise<BlockId> => {
    const next = masterchain.get(seqno + 1);
    if (next) return (await next).block.previous;
    const { block: head } = await client.waitForHead({ seqno, signal });
    if (seqno === head.seqno) return head;
    const found = await limited(seqno, (options) => client.lookupBlock(MASTERCHAIN, { seqno }, { ...options, at: head }));
    if (!found)
      throw new LiteError("proof", `masterchain block ${seqno} is not before the head, which has number ${head.seqno}`);
    return found.id;
  };

  const readBlock = async (seqno: number, id: BlockId) => {
    const root = readBoc(await limited(seqno, (options) => client.getBlock(id, options)));
    return { root, block: stepBlock(id, root) };
  };

  const readMasterchain = (seqno: number): Promise<MasterchainBlock> => {
    const known = masterchain.get(seqno);
    if (known) return known;
    const reading = (async () => {
      const { root, block } = await readBlock(seqno, await masterchainId(seqno));
      const shards = readShardTops(readBlockShards(root));
      const tops = shards.map((top) => idOf(namedBlock(top, top.block)));
      return { block, tops, stepsOfTops: shards.map(({ registeredSeqno }) => registeredSeqno) };
    })();
    masterchain.set(seqno, reading);
    reading.catch(() => masterchain.delete(seqno));
    for (const oldest of masterchain.keys()) if (masterchain.size > MASTERCHAIN_BLOCKS) masterchain.delete(oldest);
    return reading;
  };

  /** The last query of each account, until it ends. */
  const queried = new Map<string, Promise<Cell | undefined>>();

  const queryAccount = (account: AccountId, at: BlockId): Promise<Cell | undefined> => {
    const name = nameOf(account);
    const querying = (async () => {
      const { cell, last } = await limited(at.seqno, (options) => client.getAccount(account, { ...options, at }));
      if (cell) inBlocks.remember(account, cell);
      return cell && buildShardAccount(cell, last);
    })();
    queried.set(name, querying);
    const end = () => queried.get(name) === querying && queried.delete(name);
    querying.then(end, end);
    return querying;
  };

  /**
   * The state of an account after a block. A query for another step may return the cells that the block does not show, so an account is not
   * asked for twice at a time.
   */
  const readState = async (state: Cell | undefined, last: StepTransaction, at: BlockId): Promise<Cell | undefined> => {
    for (;;) {
      const found = state && inBlocks.find(state, last);
      if (found) return found;
      const querying = queried.get(nameOf(last.account));
      if (!querying) return queryAccount(last.account, at);
      await querying.catch(() => {});
    }
  };

  const readAccount = async (
    { first, last }: ReturnType<typeof changesOfAccounts>[number],
    { id, previous }: LiteStepBlock,
    state: Cell | undefined,
  ): Promise<StepAccount> => {
    const { account } = last;
    const hasBefore = firstTips !== undefined && isFirstChange(firstTips, first);
    // Its cells complete the account in the block.
    const before = hasBefore ? await queryAccount(account, previous) : undefined;
    if (hasBefore && !before)
      throw new LiteError("proof", `account ${accountName(account)} must exist before step ${id.seqno}`);
    const shardAccount = (await readState(state, last, id)) ?? deletedAccount(last);
    return { account, shardAccount, ...(before && { before }) };
  };

  const step = async (seqno: number): Promise<LiteStep> => {
    const [{ block, tops }, former] = await Promise.all([
      readMasterchain(seqno),
      seqno === 1 ? [] : readMasterchain(seqno - 1).then((before) => before.tops),
    ]);
    const shards = await newShardBlocks(tops, former, async (id) => (await readBlock(seqno, id)).block);
    const states = new Map(
      [...shards, block].flatMap(({ transactions, partialState }) => transactions.map((each) => [each, partialState] as const)),
    );
    const changed = changesOfAccounts([...shards, block]);
    const accounts = await Promise.all(changed.map((each) => readAccount(each, block, states.get(each.last))));
    return { masterchain: block, shards, accounts };
  };

  return {
    step,
    tips: async (seqno) => {
      const { block, tops, stepsOfTops } = await readMasterchain(seqno);
      const shards = tops.map(async (id, index) => {
        if (id.seqno === 0) return id;
        const top = (await readBlock(seqno, id)).block;
        return { ...top, masterchainSeqno: stepsOfTops[index] ?? seqno };
      });
      return { masterchain: { ...block, masterchainSeqno: seqno }, shards: await Promise.all(shards) };
    },
  };
}

/**
 * Returns the shard blocks of a step, each after its previous blocks.
 *
 * @param tops - The newest block of each shard.
 * @param former - The newest blocks of the previous step.
 */
export async function newShardBlocks(
  tops: readonly BlockId[],
  former: readonly BlockId[],
  read: (id: BlockId) => Promise<LiteStepBlock>,
): Promise<LiteStepBlock[]> {
  const seen = new Set(former.map(blockName));
  const found: LiteStepBlock[] = [];
  const add = async (block: LiteStepBlock): Promise<void> => {
    for (const id of block.before) {
      if (id.seqno === 0 || seen.has(blockName(id))) continue;
      seen.add(blockName(id));
      await add(await read(id));
    }
    found.push(block);
  };
  const fresh = tops.filter((top) => top.seqno > 0 && !seen.has(blockName(top)));
  for (const block of await Promise.all(fresh.map(read))) await add(block);
  return found;
}

function stepBlock(id: BlockId, root: Cell): LiteStepBlock {
  const { startLt, endLt, time, readPrevious, readStateHashes } = readBlockHeader(root);
  const before = readPrevious().map(idOf);
  const [previous] = before;
  if (!previous) throw new LiteError("proof", `block ${blockName(id)} has no block before it`);
  const { newHash: stateRootHash } = readStateHashes();
  const transactions = readStepTransactions(root, id.workchain);
  const partialState = openMerkleUpdate(readBlockParts(root).stateUpdate);
  const header = { id, startLt, endLt, time, stateRootHash, previous, transactions };
  return { ...header, before, queueChange: readBlockQueueChange(root), partialState };
}

function idOf({ workchain, shard, seqno, rootHash, fileHash }: BlockId): BlockId {
  return { workchain, shard, seqno, rootHash, fileHash };
}

/**
 * Reads accounts from blocks instead of querying a server. The Merkle update of a block has the new cells of an account. The others are those
 * of its code, which is cached, and of its state before. So an account with a large state takes one query, not one for each change.
 */
export interface BlockAccounts {
  /**
   * Returns an account after its last transaction in a block: TL-B ShardAccount. Undefined if cells are missing.
   *
   * @param state - The state after the block, without the cells that the block does not contain.
   */
  find(state: Cell, last: StepTransaction): Cell | undefined;
  /** Caches an account that `find` did not return. */
  remember(id: AccountId, account: Cell): void;
}

/** @param most - Cells of the cached accounts. */
export function blockAccounts(most: number = ACCOUNT_CELLS): BlockAccounts {
  const codes = new Map<string, Cell>();
  /** The cells of each account by their hashes. The account that has not changed for longest is the first. */
  const accounts = new Map<string, ReadonlyMap<string, Cell>>();
  let cached = 0;

  const rememberCode = (account: Cell): void => {
    const { code } = decodeAccount(account);
    if (!code || codes.has(toBinaryString(code.hash))) return;
    if (codes.size >= CODES) codes.clear();
    codes.set(toBinaryString(code.hash), code);
  };

  const forget = (name: string): void => {
    cached -= accounts.get(name)?.size ?? 0;
    accounts.delete(name);
  };

  const rememberAccount = (name: string, account: Cell): void => {
    forget(name);
    const cells = cellsOf(account);
    accounts.set(name, cells);
    cached += cells.size;
    for (const oldest of accounts.keys()) if (cached > most) forget(oldest);
  };

  const read = (state: Cell, last: StepTransaction): Cell | undefined => {
    // The path to an account that did not exist before the block either is pruned.
    const isGone = isEqual(readTransactionHeader(last.cell).newStateHash, NO_ACCOUNT.hash);
    const entry = isGone ? undefined : lookUpAccount(state, last.account.hash);
    if (!entry) return deletedAccount(last);
    const name = nameOf(last.account);
    const before = accounts.get(name);
    const account = replacePruned(entry.account, (hash) => {
      const key = toBinaryString(hash);
      return codes.get(key) ?? before?.get(key);
    });
    if (account.levelMask !== 0) return undefined;
    rememberCode(account);
    if (before) rememberAccount(name, account);
    return buildShardAccount(account, entry.last);
  };

  return {
    find: (state, last) => {
      try {
        return read(state, last);
      } catch (error) {
        if (error instanceof PrunedCellError) return undefined;
        throw error;
      }
    },
    remember: (id, account) => {
      rememberCode(account);
      rememberAccount(nameOf(id), account);
    },
  };
}

function nameOf({ workchain, hash }: AccountId): string {
  return `${workchain}:${toBinaryString(hash)}`;
}

/** All cells of a tree by their hashes. */
function cellsOf(root: Cell): ReadonlyMap<string, Cell> {
  const found = new Map<string, Cell>();
  const waiting = [root];
  for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
    const name = toBinaryString(cell.hash);
    if (found.has(name)) continue;
    found.set(name, cell);
    waiting.push(...cell.refs);
  }
  return found;
}

/** A deleted account. Its last transaction is not in the state, but in the block. */
function deletedAccount({ cell }: StepTransaction): Cell {
  return buildShardAccount(NO_ACCOUNT, { hash: cell.hash, lt: readTransactionHeader(cell).lt });
}

/** Limits the number of concurrent calls. The others wait in order. */
function limiter(most: number): <T>(run: () => Promise<T>) => Promise<T> {
  let free = most;
  const waiting: (() => void)[] = [];
  return async (run) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
