/** A small chain of the masterchain and two shards, whose transactions have no messages, and the answers of a lite server about it. */
import { readShardAccount, SHARD_ACCOUNTS, SUSPENDED_ACCOUNTS } from "@chain-query/format/accounts";
import { type AssembledBlock, assembleBlock, type BlockTransaction, describeShard } from "@chain-query/format/blocks";
import { type Cell, CellBuilder } from "@chain-query/format/cells";
import { NO_CURRENCIES } from "@chain-query/format/currencies";
import { Trie, type TrieFormat, UNAUGMENTED, uint32Key } from "@chain-query/format/dictionaries";
import {
  type AccountId,
  type BlockId,
  type BlockRef,
  containsAccount,
  containsPrefix,
  type ShardId,
  type TransactionId,
  WHOLE_WORKCHAIN,
  writeAddress,
} from "@chain-query/format/identifiers";
import {
  encodeState,
  encodeZeroState,
  MESSAGE_QUEUE,
  PAST_BLOCKS,
  type ShardDescription,
  type ShardState,
} from "@chain-query/format/states";
import { readTransactionHeader } from "@chain-query/format/transactions";
import { type LiteChain, LoadedChain } from "../../src/answers/lite-chain.ts";
import { answerCall } from "../../src/answers/respond.ts";
import { type LiteCall, type LiteQuery, readQuery } from "../../src/wire/tl/queries.ts";

export const MASTER: ShardId = { workchain: -1, shard: WHOLE_WORKCHAIN };
export const LEFT: ShardId = { workchain: 0, shard: 2n ** 62n };
export const RIGHT: ShardId = { workchain: 0, shard: -(2n ** 62n) };
const TIME = 1_770_000_000;
const NOTHING = new Uint8Array(32);

/** A block, or a zero state, with the state after it. */
export interface SampleBlock {
  readonly id: BlockId;
  /** Undefined for a zero state. */
  readonly root: Cell | undefined;
  readonly boc: Uint8Array;
  readonly state: Cell;
  readonly endLt: bigint;
  readonly time: number;
}

/** A transaction with its cell. */
export interface SampleTransaction {
  readonly account: AccountId;
  readonly id: TransactionId;
  readonly previous: TransactionId;
  readonly cell: Cell;
  readonly block: BlockId;
}

export interface SampleChain extends LiteChain {
  /** Each after those that it refers to. */
  readonly blocks: readonly SampleBlock[];
  readonly transactions: readonly SampleTransaction[];
  block(shard: ShardId, seqno: number): SampleBlock;
  /** Adds a masterchain block. */
  extend(): void;
  /** The honest answer of a lite server. */
  answer(call: LiteCall): Uint8Array;
  ask<Answer>(query: LiteQuery<Answer>): Answer;
}

/** The configuration's list of suspended accounts. */
export const SUSPENDED: Cell = new CellBuilder()
  .uint(0, 8)
  .maybeRef(
    dictionary(
      288,
      [0, 1, 2, 3].map((last) => [new Uint8Array(36).fill(last, 35), new CellBuilder().cell()] as const),
    ),
  )
  .uint(TIME, 32)
  .cell();

function dictionary(width: number, entries: readonly (readonly [Uint8Array, Cell])[]): Cell {
  const format: TrieFormat<Cell, undefined> = {
    width,
    augmentation: UNAUGMENTED,
    extraOf: () => undefined,
    writeValue: (builder, value) => void builder.append(value),
  };
  return Trie.from(format, entries).rootCell() as Cell;
}

/** The 256 bits of an address that begins with a byte. */
export function address(first: number, rest = 0x01): Uint8Array {
  return new Uint8Array(32).fill(rest).fill(first, 0, 1);
}

/** Accounts with transactions in every block of their shard. */
export const ACTIVE: readonly AccountId[] = [
  { workchain: 0, hash: address(0x10) },
  { workchain: 0, hash: address(0x11) },
  { workchain: 0, hash: address(0x30) },
  { workchain: 0, hash: address(0x90) },
  { workchain: -1, hash: address(0x55) },
];
/** Accounts without transactions. */
export const IDLE: readonly AccountId[] = [0x00, 0x12, 0x20, 0x7f, 0x80, 0xff].map((first) => ({
  workchain: 0,
  hash: address(first, 0x02),
}));

/**
 * Makes a chain of `steps` masterchain blocks, which can be extended. The left shard makes two blocks for each of them, the right shard one. Each account has
 * two transactions in each of its blocks. Blocks of a step have the same time, and two steps follow in each second.
 */
export function sampleChain(steps: number): SampleChain {
  const blocks: SampleBlock[] = [];
  const transactions: SampleTransaction[] = [];
  const last = new Map<string, TransactionId>();
  const begin = (shard: ShardId, shards?: readonly ShardDescription[]) => {
    const state = zeroState(shard, shards);
    const { id, boc } = encodeZeroState(state);
    blocks.push({ id, root: undefined, boc, state: encodeState(state), endLt: 0n, time: state.time });
    return { state, ref: { endLt: 0n, seqno: 0, rootHash: id.rootHash, fileHash: id.fileHash } };
  };
  const left = begin(LEFT);
  const right = begin(RIGHT);
  let shards = [describeZero(LEFT, left.ref), describeZero(RIGHT, right.ref)];
  const top = begin(MASTER, shards);
  let lt = 0n;

  const add = (tip: { state: ShardState; ref: BlockRef }, time: number): AssembledBlock => {
    lt += 1_000n;
    const startLt = lt;
    const own: SampleTransaction[] = [];
    const executed = ACTIVE.filter((account) => containsAccount(tip.state.shard, account)).flatMap((account) =>
      [10n, 20n].map((offset) => {
        const name = `${account.workchain}:${Buffer.from(account.hash).toString("hex")}`;
        const previous = last.get(name) ?? { lt: 0n, hash: NOTHING };
        const made = execute(account, startLt + offset, previous, time);
        const id = { lt: startLt + offset, hash: made.transaction.cell.hash };
        last.set(name, id);
        own.push({ account, id, previous, cell: made.transaction.cell, block: emptyId });
        return made;
      }),
    );
    const links = tip === top ? { shards } : { master: top.ref };
    const fixed = { before: tip.state, previous: tip.ref, startLt, endLt: startLt + 100n, time };
    const block = assembleBlock({ ...fixed, randomSeed: NOTHING, transactions: executed, ...links });
    tip.state = block.state;
    tip.ref = block.ref;
    const { id, root, boc } = block;
    blocks.push({ id, root, boc, state: encodeState(block.state), endLt: fixed.endLt, time });
    transactions.push(...own.map((transaction) => ({ ...transaction, block: id })));
    return block;
  };

  let step = 0;
  const extend = (): void => {
    step += 1;
    const time = TIME + Math.floor((step + 1) / 2);
    add(left, time);
    shards = [add(left, time), add(right, time)].map((block) => describeShard(block, step));
    add(top, time);
  };
  for (let i = 0; i < steps; i++) extend();
  const find = ({ workchain, shard }: ShardId, seqno: number) =>
    blocks.find(({ id }) => id.workchain === workchain && id.shard === shard && id.seqno === seqno);
  const chain: SampleChain = {
    ...{ blocks, transactions, extend },
    block: (shard, seqno) => {
      const found = find(shard, seqno);
      if (!found) throw new Error(`the sample has no block ${shard.workchain}:${shard.shard}:${seqno}`);
      return found;
    },
    head: () => chain.block(MASTER, top.ref.seqno).id,
    zeroState: () => chain.block(MASTER, 0).id,
    findBlock: (shard, selector) => {
      const fits = ({ id, endLt, time }: SampleBlock): boolean => {
        if ("seqno" in selector) return id.seqno === selector.seqno;
        return "lt" in selector ? endLt >= selector.lt : time >= selector.time;
      };
      return blocks.find((block) => block.root && containsPrefix(block.id, shard) && fits(block))?.id;
    },
    blockData: (id) => find(id, id.seqno)?.boc,
    state: (id) => find(id, id.seqno)?.state,
    answer: (call) => answerCall(loaded, call),
    ask: (query) => query.read(chain.answer(readQuery(query.bytes))),
  };
  const loaded = new LoadedChain(chain);
  return chain;
}

const emptyId: BlockId = { ...MASTER, seqno: 0, rootHash: NOTHING, fileHash: NOTHING };

/** TL-B Account with a balance of 7 and no code; the lt makes its hash new. */
function account(id: AccountId, lt: bigint): Cell {
  const builder = writeAddress(new CellBuilder().bit(true), id);
  // StorageInfo without cells, extra and debts; then the storage, uninitialized.
  builder.varUint(0n, 3).varUint(0n, 3).uint(0, 3).uint(TIME, 32).bit(false);
  return builder.bigUint(lt, 64).coins(7n).bit(false).uint(0, 2).cell();
}

/** A tick transaction without messages and fees. */
function execute(id: AccountId, lt: bigint, previous: TransactionId, time: number): BlockTransaction {
  const before = account(id, previous.lt);
  const after = account(id, lt);
  const update = new CellBuilder().uint(0x72, 8).bytes(before.hash).bytes(after.hash).cell();
  // trans_tick_tock$001 is_tock:Bool storage_ph:TrStoragePhase, which is as far as readers go.
  const description = new CellBuilder().uint(0b0010, 4).coins(0n).uint(0, 2).cell();
  const messages = new CellBuilder().uint(0, 2).cell();
  const cell = new CellBuilder()
    .uint(0b0111, 4)
    .bytes(id.hash)
    .bigUint(lt, 64)
    .bytes(previous.hash)
    .bigUint(previous.lt, 64)
    .uint(time, 32)
    .uint(0, 15 + 2 + 2)
    .ref(messages)
    .coins(0n)
    .bit(false)
    .ref(update)
    .ref(description)
    .cell();
  return { transaction: readTransactionHeader(cell), account: entry(after, { lt, hash: cell.hash }) };
}

/** TL-B ShardAccount. */
function entry(cell: Cell, { lt, hash }: TransactionId) {
  return readShardAccount(new CellBuilder().ref(cell).bytes(hash).bigUint(lt, 64).cell(), "cell");
}

/** The state of a shard, or of the masterchain, that the chain begins with. */
export function zeroState(shard: ShardId, shards: readonly ShardDescription[] | undefined): ShardState {
  const accounts = [...ACTIVE, ...IDLE].flatMap((id) => {
    const first = containsAccount(shard, id) && entry(account(id, 0n), { lt: 0n, hash: NOTHING });
    return first ? [[id.hash, first] as const] : [];
  });
  const held = Trie.from(SHARD_ACCOUNTS, accounts);
  return {
    globalId: -7,
    shard,
    ...{ seqno: 0, time: TIME, lt: 0n, minRefMasterchainSeqno: 0 },
    ...{ queue: Trie.empty(MESSAGE_QUEUE), processed: [], accounts: held, totalValidatorFees: NO_CURRENCIES },
    master: undefined,
    masterchain: shards && {
      shards,
      configAddress: address(0x55),
      config: dictionary(32, [
        [uint32Key(8), new CellBuilder().ref(SUSPENDED).cell()],
        [uint32Key(SUSPENDED_ACCOUNTS), new CellBuilder().ref(SUSPENDED).cell()],
      ]),
      past: Trie.empty(PAST_BLOCKS),
      isAfterKeyBlock: true,
      lastKeyBlock: undefined,
      globalBalance: NO_CURRENCIES,
    },
  };
}

function describeZero(shard: ShardId, block: BlockRef): ShardDescription {
  const numbers = { startLt: 0n, registeredSeqno: 0, minRefMasterchainSeqno: 0, time: TIME };
  return { ...shard, block, ...numbers, feesCollected: NO_CURRENCIES, fundsCreated: NO_CURRENCIES };
}
