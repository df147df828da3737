/** Blocks with every kind of message, assembled from the recorded executions. */
import { readFileSync } from "node:fs";
import { readShardAccount, SHARD_ACCOUNTS } from "../../src/accounts.ts";
import {
  type AssembledBlock,
  assembleBlock,
  type BlockInput,
  type BlockTransaction,
  describeShard,
} from "../../src/blocks/index.ts";
import { type Cell, CellBuilder, createMerkleProof, openMerkleProof, readBocRoots } from "../../src/cells/index.ts";
import { addCurrencies, NO_CURRENCIES } from "../../src/currencies.ts";
import { plainFormat, Trie, uint32Key } from "../../src/dictionaries/index.ts";
import { type BlockRef, type ShardId, WHOLE_WORKCHAIN } from "../../src/identifiers.ts";
import {
  encodeZeroState,
  type MasterchainExtra,
  MESSAGE_QUEUE,
  PAST_BLOCKS,
  type QueuedMessage,
  type ShardDescription,
  type ShardState,
} from "../../src/states/index.ts";
import { readTransactionHeader } from "../../src/transactions.ts";

/** A state, and the block or zero state that led to it. */
interface Tip {
  state: ShardState;
  ref: BlockRef;
}

export interface SampleBlocks {
  readonly zeroStates: readonly ShardState[];
  readonly blocks: readonly AssembledBlock[];
  /** The input of each block. */
  readonly inputs: readonly BlockInput[];
}

const TIME = 1_770_000_000;
const LEFT: ShardId = { workchain: 0, shard: 2n ** 62n };
const RIGHT: ShardId = { workchain: 0, shard: -(2n ** 62n) };
const MASTER: ShardId = { workchain: -1, shard: WHOLE_WORKCHAIN };

/** Two configuration parameters. */
function configuration(): Cell {
  const format = plainFormat<Cell>(32, (builder, value) => builder.ref(value));
  const parameters = [8, 34].map((index) => [uint32Key(index), new CellBuilder().uint(index, 8).cell()] as const);
  return Trie.from(format, parameters).rootCell() as Cell;
}

/**
 * Two shards and the masterchain, for three steps. In the first, `a` sends four messages in two transactions: to its neighbour (which
 * receives it in the same block and sends one to outside), to a third account in its shard (which waits), to the other shard (with
 * another currency), to the masterchain. The other steps deliver them. The last masterchain blocks follow a key block.
 */
export function sampleBlocks(): SampleBlocks {
  const roots = readBocRoots(readFileSync(new URL("../fixtures/executions.boc", import.meta.url)));
  const [a, neighbour, third, b, master] = roots.slice(0, 5) as [Cell, Cell, Cell, Cell, Cell];
  const execution = (index: number, from?: QueuedMessage): BlockTransaction => ({
    transaction: readTransactionHeader(roots[5 + 2 * index] as Cell),
    account: readShardAccount(roots[6 + 2 * index] as Cell, "cell"),
    ...(from && { from }),
  });

  const left = begin(LEFT, [
    [0x11, 1, a],
    [0x22, 2, neighbour],
    [0x33, 3, third],
  ]);
  const right = begin(RIGHT, [[0x99, 4, b]]);
  let shards = [left, right].map(zeroDescription);
  const top = begin(MASTER, [[0x55, 5, master]], [left.state, right.state]);
  const zeroStates = [left.state, right.state, top.state];
  const blocks: AssembledBlock[] = [];
  const inputs: BlockInput[] = [];

  const add = (tip: Tip, number: bigint, more: Pick<BlockInput, "transactions"> & Partial<BlockInput>): AssembledBlock => {
    const startLt = number * 1_000_000n;
    const links = tip === top ? { shards } : { master: top.ref };
    const fixed = { before: tip.state, previous: tip.ref, startLt, endLt: startLt + 100n, time: TIME + Number(number) };
    const input: BlockInput = { ...fixed, randomSeed: new Uint8Array(32).fill(7), ...links, ...more };
    const block = assembleBlock(input);
    tip.state = block.state;
    tip.ref = block.ref;
    inputs.push(input);
    blocks.push(block);
    if (tip !== top) {
      shards = shards.map((old) => (old.shard === block.id.shard ? describeShard(block, top.ref.seqno + 1) : old));
    }
    return block;
  };

  const one = add(left, 1n, { transactions: [execution(0), execution(1), execution(2)] });
  const queuedTo = (workchain: number, first: number): QueuedMessage => {
    const found = one.enqueued.find(
      ({ message: { destination } }) => destination?.workchain === workchain && destination.hash[0] === first,
    );
    if (!found) throw new Error("a message is not in the queue");
    return found;
  };
  add(right, 1n, { transactions: [] });
  const toMaster = queuedTo(-1, 0x55);
  add(top, 2n, { transactions: [execution(3, toMaster)] });

  const delivered = [{ queued: toMaster, importLt: 2_000_100n }];
  add(left, 3n, { transactions: [execution(4, queuedTo(0, 0x33))], delivered });
  const toB = queuedTo(0, 0x99);
  const { createdLt: lastLt, cell } = toB.message;
  const processed = [{ shard: RIGHT.shard, masterchainSeqno: 1, lastLt, lastHash: cell.hash }];
  add(right, 3n, { transactions: [execution(5, toB)], processed });
  add(top, 4n, { transactions: [], config: configuration(), validators: { catchainSeqno: 7, listHash: 0xfedcba98 } });

  add(left, 5n, { transactions: [], delivered: [{ queued: toB, importLt: 3_000_100n }] });
  add(top, 6n, { transactions: [] });
  return { zeroStates, blocks, inputs };
}

/** The zero state of a shard; of the masterchain if there are shards. Each account has a first and 31 further bytes of its address. */
function begin(shard: ShardId, accounts: readonly [number, number, Cell][], shards?: readonly ShardState[]): Tip {
  const entries = accounts.map(([first, others, cell]) => {
    const address = new Uint8Array(32).fill(others).fill(first, 0, 1);
    const account = readShardAccount(cell, "cell");
    if (!account) throw new Error("an account does not exist");
    return [address, account] as const;
  });
  const held = Trie.from(SHARD_ACCOUNTS, entries);
  const balances = [...(shards ?? []).map((state) => state.accounts.extra), held.extra];
  const masterchain: MasterchainExtra | undefined = shards && {
    shards: shards.map((state) => zeroDescription({ state, ref: zeroRef(state) })),
    configAddress: new Uint8Array(32).fill(0x55),
    config: configuration(),
    past: Trie.empty(PAST_BLOCKS),
    isAfterKeyBlock: true,
    lastKeyBlock: undefined,
    globalBalance: balances.reduce(addCurrencies, NO_CURRENCIES),
  };
  const state: ShardState = {
    globalId: -7,
    shard,
    seqno: 0,
    time: TIME,
    lt: 0n,
    minRefMasterchainSeqno: 0,
    queue: Trie.empty(MESSAGE_QUEUE),
    processed: [],
    accounts: held,
    totalValidatorFees: NO_CURRENCIES,
    master: undefined,
    masterchain,
  };
  return { state, ref: zeroRef(state) };
}

function zeroRef(state: ShardState): BlockRef {
  const { seqno, rootHash, fileHash } = encodeZeroState(state).id;
  return { endLt: 0n, seqno, rootHash, fileHash };
}

function zeroDescription({ state, ref }: Tip): ShardDescription {
  const amounts = { feesCollected: NO_CURRENCIES, fundsCreated: NO_CURRENCIES };
  const numbers = { startLt: 0n, registeredSeqno: 0, minRefMasterchainSeqno: 0, time: state.time };
  return { ...state.shard, block: ref, ...numbers, ...amounts };
}

/** The tree as a proof of a reading shows it. */
export function shown(root: Cell, read: (root: Cell) => unknown): Cell {
  const proof = createMerkleProof(root, (cell) => void read(cell));
  return openMerkleProof(proof, root.hash);
}
