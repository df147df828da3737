import { SHARD_ACCOUNTS } from "@chain-query/format/accounts";
import {
  type AssembledBlock,
  assembleBlock,
  type BlockContent,
  type BlockTransaction,
  describeShard,
} from "@chain-query/format/blocks";
import type { Cell } from "@chain-query/format/cells";
import { addCurrencies, type Currencies, coinsOnly, NO_CURRENCIES } from "@chain-query/format/currencies";
import { Trie } from "@chain-query/format/dictionaries";
import { type BlockRef, WHOLE_WORKCHAIN } from "@chain-query/format/identifiers";
import {
  type MasterchainExtra,
  MESSAGE_QUEUE,
  PAST_BLOCKS,
  type QueuedMessage,
  type ShardDescription,
  type ShardState,
  zeroState,
} from "@chain-query/format/states";
import type { ShardId } from "../../src/domain.ts";
import { accountOf, announcement, configuration, deliver, machine, order, type Party, party, transfer } from "./parties.ts";

/** A chain's newest block and state. */
export interface Tip {
  state: ShardState;
  ref: BlockRef;
}

/** A few blocks in which every kind of message occurs, and what they began with. */
export interface Story {
  readonly origins: readonly ShardState[];
  readonly blocks: readonly AssembledBlock[];
  /** What each block was made from. */
  readonly contents: readonly BlockContent[];
}

const TIME = 1_770_000_000;
const LEFT: ShardId = { workchain: 0, shard: 2n ** 62n };
const RIGHT: ShardId = { workchain: 0, shard: -(2n ** 62n) };
const MASTER: ShardId = { workchain: -1, shard: WHOLE_WORKCHAIN };

/**
 * Two shards and the masterchain, for three steps. In the first, an order from outside makes A send four messages in two
 * transactions: to its neighbour (which runs at once, and sends to outside), to a third in its shard (which waits), to the other
 * shard (with another currency), to the masterchain. The other steps deliver and settle them.
 */
export async function tellStory(): Promise<Story> {
  const vm = await machine();
  const a = party(0, 0x11, 1, 10n ** 11n, [
    [100, 5000n],
    [7, 3n],
  ]);
  const neighbour = party(0, 0x22, 2, 10n ** 10n);
  const third = party(0, 0x33, 3, 10n ** 10n);
  const b = party(0, 0x99, 4, 10n ** 10n);
  const master = party(-1, 0x55, 5, 10n ** 17n);
  const left = begin(LEFT, [a, neighbour, third]);
  const right = begin(RIGHT, [b]);
  const descriptions = [left, right].map(zeroDescription);
  const top = begin(MASTER, [master], (balance) =>
    extraOf(descriptions, [left.state, right.state].map(balanceOf).concat(balance)),
  );
  const origins = [left.state, right.state, top.state];
  const blocks: AssembledBlock[] = [];
  const contents: BlockContent[] = [];
  let shards = descriptions;

  const add = (tip: Tip, number: bigint, more: Pick<BlockContent, "transactions"> & Partial<BlockContent>): AssembledBlock => {
    const startLt = number * 1_000_000n;
    const links = tip === top ? { shards } : { master: top.ref };
    const fixed = { before: tip.state, previous: tip.ref, startLt, endLt: startLt + 100n, time: TIME + Number(number) };
    const content: BlockContent = { ...fixed, randomSeed: new Uint8Array(32).fill(7), ...links, ...more };
    const block = assembleBlock(content);
    tip.state = block.state;
    tip.ref = block.ref;
    contents.push(content);
    blocks.push(block);
    if (tip !== top)
      shards = shards.map((old) => (old.shard === block.id.shard ? describeShard(block, top.ref.seqno + 1) : old));
    return block;
  };
  const run = (to: Party, message: Cell, lt: bigint, from?: QueuedMessage): Promise<BlockTransaction> =>
    deliver(vm, to, message, lt, TIME, from);
  const sent = (transaction: BlockTransaction, index: number): Cell => {
    const message = transaction.transaction.outMessages[index];
    if (!message) throw new Error(`a transaction did not send message ${index}`);
    return message.cell;
  };

  const first = await run(
    a,
    order(a, transfer(neighbour, coinsOnly(10n ** 9n), 1), transfer(third, coinsOnly(10n ** 9n), 2)),
    1_000_001n,
  );
  const second = await run(
    a,
    order(
      a,
      transfer(b, { coins: 10n ** 9n, extra: [{ id: 100, amount: 5n }] }, 3, 3n),
      transfer(master, coinsOnly(10n ** 9n), 4),
      announcement(5),
    ),
    1_000_011n,
  );
  const third1 = await run(neighbour, sent(first, 0), 1_000_021n);
  const one = add(left, 1n, { transactions: [first, second, third1] });
  add(right, 1n, { transactions: [] });
  const toMaster = queuedFor(one, master);
  const atMaster = await run(master, toMaster.message.cell, 2_000_001n, toMaster);
  add(top, 2n, { transactions: [atMaster] });

  const toThird = queuedFor(one, third);
  const atThird = await run(third, toThird.message.cell, 3_000_001n, toThird);
  add(left, 3n, { transactions: [atThird], delivered: [{ queued: toMaster, importLt: 2_000_100n }] });
  const toB = queuedFor(one, b);
  const atB = await run(b, toB.message.cell, 3_000_001n, toB);
  const processed = [
    { shard: RIGHT.shard, masterchainSeqno: 1, lastLt: toB.message.createdLt, lastHash: toB.message.cell.hash },
  ];
  add(right, 3n, { transactions: [atB], processed });
  add(top, 4n, { transactions: [], config: configuration() });

  add(left, 5n, { transactions: [], delivered: [{ queued: toB, importLt: 3_000_100n }] });
  add(top, 6n, { transactions: [] });
  return { origins, blocks, contents };
}

function queuedFor(block: AssembledBlock, to: Party): QueuedMessage {
  const found = block.enqueued.find(
    ({ message }) => Buffer.compare(message.destination?.hash ?? to.id.hash.subarray(1), to.id.hash) === 0,
  );
  if (!found) throw new Error("a message is not in the queue");
  return found;
}

function begin(shard: ShardId, parties: readonly Party[], extra?: (balance: Currencies) => MasterchainExtra): Tip {
  const accounts = Trie.from(
    SHARD_ACCOUNTS,
    parties.map((each) => [each.id.hash, accountOf(each)] as const),
  );
  const state: ShardState = {
    globalId: -7,
    shard,
    seqno: 0,
    time: TIME,
    lt: 0n,
    minRefMasterchainSeqno: 0,
    queue: Trie.empty(MESSAGE_QUEUE),
    processed: [],
    accounts,
    totalValidatorFees: NO_CURRENCIES,
    master: undefined,
    masterchain: extra?.(accounts.extra),
  };
  const { id } = zeroState(state);
  return { state, ref: { endLt: 0n, seqno: 0, rootHash: id.rootHash, fileHash: id.fileHash } };
}

function balanceOf({ accounts }: ShardState): Currencies {
  return accounts.extra;
}

function extraOf(shards: readonly ShardDescription[], balances: readonly Currencies[]): MasterchainExtra {
  return {
    shards,
    configAddress: new Uint8Array(32).fill(0x55),
    config: configuration(),
    past: Trie.empty(PAST_BLOCKS),
    isAfterKeyBlock: true,
    lastKeyBlock: undefined,
    globalBalance: balances.reduce(addCurrencies, NO_CURRENCIES),
  };
}

function zeroDescription({ state, ref }: Tip): ShardDescription {
  const amounts = { feesCollected: NO_CURRENCIES, fundsCreated: NO_CURRENCIES };
  return {
    ...state.shard,
    block: ref,
    startLt: 0n,
    registeredSeqno: 0,
    minRefMasterchainSeqno: 0,
    time: state.time,
    ...amounts,
  };
}
