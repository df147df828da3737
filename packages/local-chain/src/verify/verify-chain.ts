import { hex, readBoc } from "@chain-query/format/cells";
import { addCurrencies, formatCurrencies, NO_CURRENCIES } from "@chain-query/format/currencies";
import { blockName, intersects, isSameShard, type ShardId, shardName } from "@chain-query/format/identifiers";
import { hashState, type ShardDescription } from "@chain-query/format/states";
import { type BlockHeader, cellRecord } from "@chain-query/format/store";
import { openShards } from "../production/network.ts";
import { chainFileToRead } from "../store/chain-folder.ts";
import type { StoredGenesis } from "../store/records.ts";
import { knownHeader, storeContents, storedGenesis, storedHead } from "../store/store-contents.ts";
import { countOf, openTables, type Tables } from "../store/tables.ts";
import { accountLedger } from "./account-ledger.ts";
import { type BlocksBefore, type CheckedBlock, checkBlock, checkRef, checkZeroState } from "./block-check.ts";
import { ChainFault, must, mustEqual, naming } from "./fault.ts";
import { keyBlockLedger } from "./key-block-ledger.ts";
import { libraryLedger } from "./library-ledger.ts";
import { masterLedger } from "./master-ledger.ts";
import { messageLedger } from "./message-ledger.ts";
import { type ValueTotals, valueLedger } from "./value-ledger.ts";

/** The content of a verified chain. */
export interface Verified {
  /** Masterchain blocks. */
  readonly steps: number;
  /** Of all shards. */
  readonly blocks: number;
  readonly transactions: number;
  readonly accounts: number;
  /** In the smallest unit: genesis + minted - burnt = balances + inFlight. */
  readonly value: ValueTotals;
}

/**
 * Checks the hashes of every block of a chain, and every link, index and balance, without executing anything again. Reads one LMDB
 * snapshot, so a producer may write at the same time.
 *
 * @param onStep - Called after each masterchain block, with their number.
 * @throws ChainFault at the first inconsistency.
 * @throws ChainStoreError if the folder holds no chain that can be opened.
 */
export async function verifyChain(
  directory: string,
  onStep: (step: number, steps: number) => void = () => {},
): Promise<Verified> {
  const tables = openTables(chainFileToRead(directory), "read");
  try {
    // lmdb keeps its read snapshot until the next event-loop tick, so nothing is awaited here.
    const chain = naming("the beginning of the chain", () => verification(tables));
    for (let step = 1; step <= chain.steps; step++) {
      naming(`step ${step}`, () => chain.checkStep(step));
      onStep(step, chain.steps);
    }
    return naming("the end of the chain", () => chain.finish());
  } finally {
    await tables.root.close();
  }
}

interface Verification {
  /** Masterchain blocks of the chain. */
  readonly steps: number;
  /** Checks the next step: a masterchain block and the shard blocks that it commits. */
  checkStep(seqno: number): void;
  /** Checks the head, the number of records, the cells and the producer's state. */
  finish(): Verified;
}

function verification(tables: Tables): Verification {
  const genesis = storedGenesis(tables);
  const head = storedHead(tables);
  const ids = [genesis.masterchain, ...genesis.shards];
  let tips: readonly BlockHeader[] = ids.map((id) => knownHeader(tables, genesis, id, 0));
  let announced: readonly ShardDescription[] = [];
  const accounts = accountLedger(tables);
  const messages = messageLedger(tables);
  const keyBlocks = keyBlockLedger(tables, genesis.masterchain);
  const libraries = libraryLedger(tables);
  const masters = masterLedger(tables, genesis);
  const value = valueLedger(
    ids.map((id) => ({ shard: id, balances: accounts.begin(id.workchain, checkZeroState(tables, id, genesis.time)) })),
  );
  let blocks = 0;
  let transactions = 0;

  const checkStep = (seqno: number): void => {
    const before = tips;
    const checked = checkBlocks(tables, genesis, before, seqno);
    const all = checked.blocks;
    tips = checked.tips;
    for (const block of all) masters.follow(block, seqno);
    masters.settle(tips);
    for (const block of all) keyBlocks.follow(block);
    announced = checkAnnounced(announced, all, before);
    value.reshard(all, accounts.balanceOf);
    const executed = all.flatMap((block) => block.transactions);
    for (const { decoded } of executed) messages.send(decoded.outMessages, decoded.id.lt);
    for (const { decoded } of executed) if (decoded.inMessage) messages.receive(decoded.inMessage, decoded.id.lt);
    const isLast = ({ header: { id } }: CheckedBlock) => tipOf(tips, id).id.seqno === id.seqno;
    for (const block of all) {
      for (const { account, decoded, state } of block.transactions) accounts.follow(account, decoded, state);
      if (isLast(block)) continue;
      value.change(accounts.settleBlock(block.header));
      value.add(block);
    }
    value.change(accounts.settle(seqno));
    for (const block of all) if (isLast(block)) value.add(block);
    for (const block of all) libraries.follow(block);
    value.end(seqno, messages.inFlight);
    blocks += all.length;
    transactions += executed.length;
  };

  const finish = (): Verified => {
    mustEqual(head.tips.length, tips.length, () => "number of shards at the head");
    for (const tip of head.tips)
      mustEqual(tip.seqno, tipOf(tips, tip).id.seqno, () => `seqno of shard ${shardName(tip)} at the head`);
    mustEqual(head.transactionCount, BigInt(transactions), () => "number of transactions at the head");
    mustEqual(head.totals.minted, value.totals.minted, () => "value minted at the head");
    mustEqual(head.totals.burnt, value.totals.burnt, () => "fees burnt at the head");
    accounts.finish();
    messages.finish();
    for (const name of ["blocks", "blocksByLt", "blocksByTime", "states"] as const) {
      mustEqual(countOf(tables[name]), blocks, () => `number of records in the table ${name}`);
    }
    mustEqual(countOf(tables.blockData), blocks + ids.length, () => "number of blocks and zero states");
    mustEqual(countOf(tables.transactions), transactions, () => "number of transactions");
    checkCells(tables);
    checkStates(tables, genesis, tips);
    return { steps: head.seqno, blocks, transactions, accounts: countOf(tables.accounts), value: value.totals };
  };

  return { steps: head.seqno, checkStep, finish };
}

interface CheckedStep {
  /** The masterchain block last. */
  readonly blocks: readonly CheckedBlock[];
  /** The newest block of each shard after the step. */
  readonly tips: readonly BlockHeader[];
}

/** Checks the blocks of a step. */
function checkBlocks(tables: Tables, genesis: StoredGenesis, former: readonly BlockHeader[], seqno: number): CheckedStep {
  const checkNext = (shard: ShardId, next: number, before: BlocksBefore): CheckedBlock =>
    naming(`block ${blockName({ ...shard, seqno: next })}`, () =>
      checkBlock(tables, knownHeader(tables, genesis, shard, next), before),
    );
  const master = checkNext(genesis.masterchain, seqno, blocksBefore(former, genesis.masterchain));
  const tips = [master.header];
  const shards = master.shards.flatMap((top) => {
    const fresh: CheckedBlock[] = [];
    let before = blocksBefore(former, top);
    const from = 1 + Math.max(...before.map((tip) => tip?.id.seqno ?? 0));
    for (let next = from; next <= top.block.seqno; next++) {
      const block = checkNext(top, next, before);
      before = [block.header];
      fresh.push(block);
    }
    const [tip] = before;
    must(isSameShard(tip.id, top), () => `shard ${shardName(top)} has no block`);
    checkRef(top.block, tip, () => `newest block of the shard in block ${blockName(master.header.id)}`);
    if (fresh.length > 0) checkDescription(top, fresh, seqno);
    tips.push(tip);
    return fresh;
  });
  checkQueues(shards, former);
  const fees = shards.map(({ flow }) => flow.feesCollected).reduce(addCurrencies, NO_CURRENCIES);
  const imported = formatCurrencies(master.flow.feesImported);
  mustEqual(imported, formatCurrencies(fees), () => `fees of the shards in block ${blockName(master.header.id)}`);
  const all = [...shards, master];
  for (const block of all) {
    const { id, masterchainSeqno } = block.header;
    mustEqual(masterchainSeqno, seqno, () => `masterchain block of block ${blockName(id)}`);
  }
  return { blocks: all, tips };
}

/** The description of a shard has the fees of all its new blocks. */
function checkDescription(top: ShardDescription, blocks: readonly CheckedBlock[], seqno: number): void {
  const fees = blocks.map(({ flow }) => flow.feesCollected).reduce(addCurrencies);
  const name = () => `shard ${shardName(top)} in masterchain block ${seqno}`;
  mustEqual(formatCurrencies(top.feesCollected), formatCurrencies(fees), () => `fees of ${name()}`);
  mustEqual(top.registeredSeqno, seqno, () => `registered number of ${name()}`);
}

/** The newest blocks of the shards that have accounts of a shard: its own, one of the shard that was split, or two that merge. */
function blocksBefore(tips: readonly BlockHeader[], shard: ShardId): BlocksBefore {
  const [first, second, ...others] = tips.filter(({ id }) => intersects(id, shard));
  must(first !== undefined && others.length === 0, () => `shard ${shardName(shard)} does not follow the shards before it`);
  return second ? [first, second] : [first];
}

/** The halves of a shard have all messages of its queue. */
function checkQueues(blocks: readonly CheckedBlock[], former: readonly BlockHeader[]): void {
  const halves = blocks.filter(({ info }) => info.isAfterSplit);
  for (const { header } of halves) {
    const own = halves.filter(({ header: { previous } }) => isSameShard(previous, header.previous));
    const size = own.reduce((sum, half) => sum + (half.header.queueSize ?? 0) - half.queueChange, 0);
    const before = tipOf(former, header.previous);
    mustEqual(size, before.queueSize, () => `messages in the queues of both halves of block ${blockName(before.id)}`);
  }
}

/** Shards split and merge if and only if the masterchain announced it. Returns what it announces now. */
function checkAnnounced(
  announced: readonly ShardDescription[],
  blocks: readonly CheckedBlock[],
  tips: readonly BlockHeader[],
): readonly ShardDescription[] {
  const now = blocks.at(-1)?.shards ?? [];
  const rows = Map.groupBy(blocks, ({ header: { id } }) => shardName(id));
  for (const row of rows.values()) checkFlags(announced, now, row);
  for (const { id } of tips) {
    const gone = descriptionOf(announced, id)?.resharding;
    const isGone = gone?.isBeforeSplit === true || gone?.isBeforeMerge === true;
    must(!isGone || !rows.has(shardName(id)), () => `shard ${shardName(id)} must have split or merged`);
  }
  return now;
}

/** The first block of a shard in a step follows what was announced, and the masterchain repeats what the last one announces. */
function checkFlags(
  announced: readonly ShardDescription[],
  now: readonly ShardDescription[],
  blocks: readonly CheckedBlock[],
): void {
  for (const [i, { header, info }] of blocks.entries()) {
    const name = () => `block ${blockName(header.id)}`;
    const before = i > 0 ? [] : announced.filter((known) => intersects(known, header.id));
    mustEqual(
      info.isAfterSplit,
      before.some((known) => known.resharding?.isBeforeSplit),
      () => `flag after_split of ${name()}`,
    );
    const isAnnounced = before.some((known) => known.resharding?.isBeforeMerge);
    mustEqual(info.mergedWith !== undefined, isAnnounced, () => `flag after_merge of ${name()}`);
    const top = i < blocks.length - 1 ? { ...info, isBeforeSplit: false } : descriptionOf(now, header.id)?.resharding;
    const { isBeforeSplit = false, wantsSplit = false, wantsMerge = false } = top ?? {};
    mustEqual(isBeforeSplit, info.isBeforeSplit, () => `flag before_split of ${name()} in the masterchain`);
    mustEqual(wantsSplit, info.wantsSplit, () => `flag want_split of ${name()} in the masterchain`);
    mustEqual(wantsMerge, info.wantsMerge, () => `flag want_merge of ${name()} in the masterchain`);
  }
}

function descriptionOf(shards: readonly ShardDescription[], shard: ShardId): ShardDescription | undefined {
  return shards.find((known) => isSameShard(known, shard));
}

function tipOf(tips: readonly BlockHeader[], shard: ShardId): BlockHeader {
  const tip = tips.find(({ id }) => isSameShard(id, shard));
  must(tip !== undefined, () => `shard ${shardName(shard)} is not a shard of the chain`);
  return tip;
}

/**
 * Builds the newest state of every shard like a producer that opens the chain, and compares its hash with the shard's newest block.
 *
 * @param tips - The newest block of each shard.
 */
function checkStates(tables: Tables, genesis: StoredGenesis, tips: readonly BlockHeader[]): void {
  for (const { state } of readState(() => openShards(storeContents(tables, genesis)))) {
    const tip = tips.find(({ id }) => isSameShard(id, state.shard));
    must(tip !== undefined, () => "the producer's state has a shard that the chain does not have");
    const name = () => `block ${blockName(tip.id)}`;
    mustEqual(readState(() => hashState(state)).hash, tip.stateRootHash, () => `hash of the producer's state after ${name()}`);
  }
}

/** Damaged records of the producer cause errors of many kinds; all become a ChainFault. */
function readState<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ChainFault(`the producer's state cannot be read: ${reason}`, { cause });
  }
}

/** Checks the hashes of the table of cells: code and initial states. */
function checkCells(tables: Tables): void {
  for (const { key, value } of tables.cells.getRange()) {
    const name = `cell ${hex(key)}`;
    mustEqual(naming(name, () => readBoc(cellRecord.decode(value))).hash, new Uint8Array(key), () => `hash of the ${name}`);
  }
}
