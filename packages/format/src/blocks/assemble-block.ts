import { writeBoc } from "../cells/bag-of-cells.ts";
import { hex, isEqual, sha256 } from "../cells/bytes.ts";
import type { Cell } from "../cells/cell.ts";
import { CellError, CellReader, readTag } from "../cells/cell-reader.ts";
import { readMerkleUpdate } from "../cells/merkle.ts";
import { addCurrencies, type Currencies, coinsOnly, NO_CURRENCIES, subtractCurrencies } from "../currencies.ts";
import { lookUp, uint32Key } from "../dictionaries/hashmap.ts";
import type { Trie } from "../dictionaries/trie.ts";
import type { BlockId, BlockRef } from "../identifiers.ts";
import type { ProcessedUpto, QueuedMessage } from "../states/message-queue.ts";
import type { LoadHistory, MasterchainExtra, ShardState } from "../states/shard-state.ts";
import type { Resharding, ShardDescription } from "../states/shards.ts";
import { createStateUpdate, type FormerStates } from "../states/state-update.ts";
import type { ValidatorGroup } from "../validators.ts";
import { buildAccountBlocks } from "./account-blocks.ts";
import {
  buildBlock,
  buildBlockExtra,
  buildBlockInfo,
  buildMcBlockExtra,
  buildValueFlow,
  collectShardFees,
  type ValueFlow,
} from "./block.ts";
import { type BlockTransaction, type DeliveredMessage, describeMessages } from "./message-descriptions.ts";

/** The input of a block. Messages, fees, balances and the next state follow from the transactions. */
export interface BlockInput {
  /** The state that the block begins with: after a split, see `splitState`; after a merge, see `mergeStates`. */
  readonly before: ShardState;
  /** The block before; the zero state with lt 0 for the first block. After a split, of the shard that was split. */
  readonly previous: BlockRef;
  /** The first block after a merge: the block before of the right half; `previous` is of the left one. */
  readonly mergedWith?: BlockRef;
  /** The first block after a split or a merge: the states of the shards that it replaces. */
  readonly former?: FormerStates;
  /** Shard blocks: what the block announces. */
  readonly announces?: Pick<Resharding, "isBeforeSplit" | "wantsSplit" | "wantsMerge">;
  /** Below the lt of every transaction. */
  readonly startLt: bigint;
  /** Above the lt of every transaction and message. */
  readonly endLt: bigint;
  /** Unix seconds. */
  readonly time: number;
  /** 32 bytes: the seed of random numbers in the block's executions. */
  readonly randomSeed: Uint8Array;
  /** In order of execution, so sorted by lt for each account. */
  readonly transactions: readonly BlockTransaction[];
  /** TL-B Account of the changed accounts before and after the block. The state update shows them; it prunes those that are absent. */
  readonly accountCells?: readonly Cell[];
  readonly delivered?: readonly DeliveredMessage[];
  /** The last messages taken from neighbours' queues; unchanged if absent. */
  readonly processed?: readonly ProcessedUpto[];
  /** Shard blocks: the newest masterchain block that they know. */
  readonly master?: BlockRef;
  /** Shard blocks: the number of the newest key block up to `master`. Default: 0. */
  readonly previousKeySeqno?: number;
  /** Shard blocks: the load of the shard with this block. Default: it is not recorded. */
  readonly load?: LoadHistory | undefined;
  /** Masterchain blocks: the shards, see `describeShard`. A shard without a new block keeps its old description. */
  readonly shards?: readonly ShardDescription[];
  /** Masterchain blocks: the new configuration, which makes it a key block. Absent if it does not change. */
  readonly config?: Cell;
  /** Masterchain blocks: the public libraries, see `changePublisher`. Absent if they do not change. */
  readonly libraries?: MasterchainExtra["libraries"];
  /** The validators that sign the block; absent without validators. */
  readonly validators?: Pick<ValidatorGroup, "catchainSeqno" | "listHash">;
}

/** A new block. */
export interface AssembledBlock {
  readonly id: BlockId;
  /** As the next block, or a masterchain block, refers to it. */
  readonly ref: BlockRef;
  readonly startLt: bigint;
  readonly time: number;
  readonly root: Cell;
  /** The bag of cells whose SHA-256 is the file hash. */
  readonly boc: Uint8Array;
  /** The state after it. */
  readonly state: ShardState;
  readonly stateRootHash: Uint8Array;
  readonly valueFlow: ValueFlow;
  /** Messages that this block added to the queue, in order of creation. */
  readonly enqueued: readonly QueuedMessage[];
}

/**
 * Makes a block and the state after it. Transactions and messages go into it as the cells that the executor gave.
 *
 * @throws RangeError if the input is inconsistent: value that appears or vanishes, an lt outside the block, an internal message that
 * was not sent, a transaction that does not continue from its account's state.
 */
export function assembleBlock(input: BlockInput): AssembledBlock {
  checkInput(input);
  const { before, previous, mergedWith, former, startLt, endLt, time, master, validators } = input;
  const { isBeforeSplit = false, wantsSplit = false, wantsMerge = false } = input.announces ?? {};
  const messages = describeMessages(before, input.transactions, input.delivered);
  const accounts = buildAccountBlocks(input.transactions.map(({ transaction }) => transaction));
  const fees = collectShardFees(before.masterchain ? (input.shards ?? []) : [], before.seqno + 1);
  const allFees = [coinsOnly(messages.inMessages.extra.feesCollected), fees.extra.fees].reduce(addCurrencies, accounts.extra);
  const burned = before.masterchain ? readBurnedFees(before.masterchain.config, allFees) : NO_CURRENCIES;
  const feesCollected = subtractCurrencies(allFees, burned);
  const state = computeNextState(input, messages.queue, { feesCollected, burned });
  const { shard, seqno, minRefMasterchainSeqno, masterchain } = state;
  const valueFlow: ValueFlow = {
    before: before.accounts.extra,
    after: state.accounts.extra,
    imported: messages.inMessages.extra.valueImported,
    exported: messages.outMessages.extra,
    feesCollected,
    burned,
    feesImported: fees.extra.fees,
    recovered: NO_CURRENCIES,
    created: NO_CURRENCIES,
    minted: NO_CURRENCIES,
  };
  const isKey = input.config !== undefined;
  const previousKeySeqno = masterchain?.lastKeyBlock?.seqno ?? input.previousKeySeqno ?? 0;
  const numbers = { seqno, time, startLt, endLt, isKey, minRefMasterchainSeqno, previousKeySeqno };
  const flags = { isAfterSplit: former !== undefined && !mergedWith, isBeforeSplit, wantsSplit, wantsMerge };
  const links = { previous, ...(mergedWith && { mergedWith }), ...(master && { master }) };
  const signers = { validatorListHash: validators?.listHash ?? 0, catchainSeqno: validators?.catchainSeqno ?? 0 };
  const stateUpdate = createStateUpdate(former ?? [before], state, {
    accounts: input.transactions.map(({ transaction }) => transaction.account),
    queue: changedKeys(input, messages.enqueued),
    past: [uint32Key(previous.seqno)],
    cells: input.accountCells ?? [],
  });
  const root = buildBlock(
    before.globalId,
    buildBlockInfo({ ...shard, ...numbers, ...flags, ...signers, ...links }),
    buildValueFlow(valueFlow),
    stateUpdate,
    buildBlockExtra(
      [messages.inMessages, messages.outMessages, accounts],
      input.randomSeed,
      masterchain && buildMcBlockExtra(masterchain, fees, isKey),
    ),
  );
  const boc = writeBoc(root);
  const names = { seqno, rootHash: root.hash, fileHash: sha256(boc) };
  return {
    id: { ...shard, ...names },
    ref: { endLt, ...names },
    startLt,
    time,
    root,
    boc,
    state,
    stateRootHash: readMerkleUpdate(stateUpdate).newHash,
    valueFlow,
    enqueued: messages.enqueued,
  };
}

/** The description of a shard's new block in the masterchain block `seqno`. */
export function describeShard(block: AssembledBlock, seqno: number, resharding?: Resharding): ShardDescription {
  return {
    workchain: block.id.workchain,
    shard: block.id.shard,
    block: block.ref,
    startLt: block.startLt,
    registeredSeqno: seqno,
    minRefMasterchainSeqno: block.state.minRefMasterchainSeqno,
    time: block.time,
    feesCollected: block.valueFlow.feesCollected,
    fundsCreated: block.valueFlow.created,
    ...(resharding && { resharding }),
  };
}

/** Keys of the messages that the block adds to the queue or removes from it, or takes from those of other shards. */
function changedKeys({ transactions, delivered = [] }: BlockInput, enqueued: readonly QueuedMessage[]): Uint8Array[] {
  const taken = transactions.flatMap(({ from }) => (from ? [from] : []));
  return [...enqueued, ...taken, ...delivered.map(({ queued }) => queued)].map(({ key }) => key);
}

function checkInput({ before, startLt, endLt, time, transactions, master, randomSeed }: BlockInput): void {
  if (randomSeed.length !== 32) throw new RangeError(`the random seed has ${randomSeed.length} bytes, expected 32`);
  if (startLt < before.lt || endLt <= startLt) {
    throw new RangeError(`a block from lt ${startLt} to ${endLt} cannot follow a state of lt ${before.lt}`);
  }
  if (time < before.time) throw new RangeError(`a block of time ${time} cannot follow a state of time ${before.time}`);
  if ((master === undefined) !== (before.masterchain !== undefined)) {
    throw new RangeError("`master` is required in shard blocks and not allowed in masterchain blocks");
  }
  for (const { transaction } of transactions) {
    const last = transaction.lt + BigInt(transaction.outMessages.length);
    if (transaction.lt < startLt || last >= endLt) {
      throw new RangeError(`a transaction of lt ${transaction.lt} does not fit into a block from ${startLt} to ${endLt}`);
    }
  }
}

function computeNextState(
  input: BlockInput,
  queue: Trie<QueuedMessage, bigint>,
  { feesCollected, burned }: Pick<ValueFlow, "feesCollected" | "burned">,
): ShardState {
  const { before, processed = before.processed } = input;
  const seqno = before.seqno + 1;
  const masterchain = before.masterchain && computeNextMcExtra(input, before.masterchain, burned);
  return {
    ...before,
    seqno,
    time: input.time,
    lt: input.endLt,
    minRefMasterchainSeqno: Math.min(
      input.master?.seqno ?? seqno,
      ...processed.map(({ masterchainSeqno }) => masterchainSeqno),
      ...(masterchain?.shards ?? []).map((shard) => shard.minRefMasterchainSeqno),
    ),
    queue,
    processed,
    accounts: applyTransactions(before.accounts, input.transactions),
    totalValidatorFees: addCurrencies(before.totalValidatorFees, feesCollected),
    isBeforeSplit: input.announces?.isBeforeSplit || undefined,
    load: input.load,
    master: input.master,
    masterchain,
  };
}

/** Also checks that every transaction continues from its account's state. */
function applyTransactions(before: ShardState["accounts"], transactions: readonly BlockTransaction[]): ShardState["accounts"] {
  let accounts = before;
  for (const { transaction, account } of transactions) {
    const { account: address, oldStateHash, newStateHash } = transaction;
    const old = accounts.get(address);
    if (old && !isEqual(old.account.hash, oldStateHash)) {
      throw mismatch(address, "does not continue from the account's state");
    }
    if (account && !isEqual(account.account.hash, newStateHash)) {
      throw mismatch(address, "does not lead to the account's state");
    }
    accounts = account ? accounts.set(address, account) : accounts.delete(address);
  }
  return accounts;
}

function mismatch(address: Uint8Array, what: string): RangeError {
  return new RangeError(`a transaction of account ${hex(address)} ${what}`);
}

function computeNextMcExtra(input: BlockInput, extra: MasterchainExtra, burned: Currencies): MasterchainExtra {
  const { previous, config, libraries } = input;
  const past = { isKey: extra.isAfterKeyBlock, block: previous };
  return {
    ...extra,
    shards: input.shards ?? extra.shards,
    config: config ?? extra.config,
    libraries: libraries ?? extra.libraries,
    past: extra.past.set(uint32Key(previous.seqno), past),
    isAfterKeyBlock: config !== undefined,
    lastKeyBlock: past.isKey ? previous : extra.lastKeyBlock,
    globalBalance: subtractCurrencies(extra.globalBalance, burned),
  };
}

/**
 * The part of the fees of a masterchain block that is burned by the configuration's parameter 5. Nothing is if it has none.
 *
 * TL-B `burning_config#01 blackhole_addr:(Maybe bits256) fee_burn_num:# fee_burn_denom:# = BurningConfig`.
 */
function readBurnedFees(config: Cell, { coins }: Currencies): Currencies {
  const parameter = lookUp(config, uint32Key(5), 32)?.ref();
  if (!parameter) return NO_CURRENCIES;
  const reader = new CellReader(parameter);
  readTag(reader, 8, "BurningConfig", 1);
  if (reader.bit()) reader.skip(256);
  const [part, whole] = [reader.uint(32), reader.uint(32)];
  if (whole < 1 || part > whole) throw new CellError(`a BurningConfig burns ${part} of ${whole} parts`);
  return coinsOnly((coins * BigInt(part)) / BigInt(whole));
}
