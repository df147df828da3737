import type { BlockHeader, ShardId } from "../domain.ts";
import { isSameShard, knownHeader, storedGenesis, storedHead } from "../store/chain-records.ts";
import type { StoredGenesis } from "../store/records/genesis-record.ts";
import { countOf, type Tables } from "../store/tables.ts";
import { accountLedger } from "./account-ledger.ts";
import { type CheckedBlock, checkBlock, checkRef } from "./block-check.ts";
import { checkCells } from "./cell-check.ts";
import { blockName, must, mustEqual, naming } from "./fault.ts";
import { messageLedger } from "./message-ledger.ts";
import { checkStates } from "./state-check.ts";
import { valueLedger } from "./value-ledger.ts";
import type { Verified } from "./verify-chain.ts";
import { checkZeroState } from "./zero-state-check.ts";

/** A chain that is looked at step by step, from genesis on. */
export interface Verification {
  /** How many steps the chain has. */
  readonly steps: number;
  /** Checks the next step: a masterchain block and the shard blocks that it commits. */
  checkStep(seqno: number): void;
  /** Checks what can only be said of the whole. */
  finish(): Verified;
}

/** Begins with the zero states. Everything throws a ChainFault at the first thing that is wrong. */
export function verification(tables: Tables): Verification {
  const genesis = storedGenesis(tables);
  const head = storedHead(tables);
  const ids = [genesis.masterchain, ...genesis.shards];
  const tips = ids.map((id) => knownHeader(tables, genesis, id, 0));
  const accounts = accountLedger(tables);
  const messages = messageLedger(tables);
  const value = valueLedger(
    ids.map((id) => ({ shard: id, balances: accounts.begin(id.workchain, checkZeroState(tables, id, genesis.time)) })),
  );
  let blocks = 0;
  let transactions = 0;

  const checkStep = (seqno: number): void => {
    const master = checkNext(tables, genesis, tips, genesis.masterchain, seqno);
    const shards = master.shards.flatMap((tip) => {
      const from = tipOf(tips, tip).id.seqno + 1;
      const fresh: CheckedBlock[] = [];
      for (let n = from; n <= tip.seqno; n++) fresh.push(checkNext(tables, genesis, tips, tip, n));
      checkRef({ ...tip }, tipOf(tips, tip), () => `newest block of the shard in ${blockName(master.header.id, seqno)}`);
      return fresh;
    });
    const all = [...shards, master];
    for (const block of all) {
      mustEqual(block.header.masterchainSeqno, seqno, () => `masterchain block of ${nameOf(block)}`);
      checkMaster(tables, genesis, block, seqno);
    }
    const executed = all.flatMap((block) => block.transactions);
    for (const { decoded } of executed) messages.send(decoded.outMessages, decoded.id.lt);
    for (const { decoded } of executed) if (decoded.inMessage) messages.take(decoded.inMessage, decoded.id.lt);
    for (const { account, decoded, state } of executed) accounts.follow(account, decoded, state);
    value.apply(all, accounts.settle(seqno), messages.inFlight);
    blocks += all.length;
    transactions += executed.length;
  };

  const finish = (): Verified => {
    mustEqual(head.tips.length, tips.length, () => "number of shards at the head");
    for (const tip of head.tips)
      mustEqual(tip.seqno, tipOf(tips, tip).id.seqno, () => `number of the ${nameOfShard(tip)} at the head`);
    mustEqual(head.transactionCount, BigInt(transactions), () => "number of transactions at the head");
    mustEqual(head.totals.minted, value.totals.minted, () => "value minted at the head");
    mustEqual(head.totals.burnt, value.totals.burnt, () => "fees burnt at the head");
    accounts.finish();
    messages.finish();
    for (const name of ["blocks", "blocksByLt", "blocksByTime"] as const) {
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

/** Checks the next block of a shard, which then is its tip. */
function checkNext(tables: Tables, genesis: StoredGenesis, tips: BlockHeader[], shard: ShardId, seqno: number): CheckedBlock {
  const before = tipOf(tips, shard);
  const block = naming(blockName(shard, seqno), () => checkBlock(tables, knownHeader(tables, genesis, shard, seqno), before));
  tips[tips.indexOf(before)] = block.header;
  return block;
}

/** A shard block knows an earlier masterchain block, a masterchain block none. */
function checkMaster(tables: Tables, genesis: StoredGenesis, { header, info }: CheckedBlock, seqno: number): void {
  const isMaster = isSameShard(header.id, genesis.masterchain);
  const name = () => blockName(header.id, header.id.seqno);
  must(
    isMaster === (info.master === undefined),
    () => `${name()} ${isMaster ? "refers" : "does not refer"} to a masterchain block`,
  );
  if (!info.master) return;
  const { master } = info;
  must(master.seqno < seqno, () => `${name()} refers to masterchain block ${master.seqno}, which is not before ${seqno}`);
  checkRef(
    master,
    knownHeader(tables, genesis, genesis.masterchain, master.seqno),
    () => `masterchain block that ${name()} knows`,
  );
}

function tipOf(tips: readonly BlockHeader[], shard: ShardId): BlockHeader {
  const tip = tips.find(({ id }) => isSameShard(id, shard));
  must(tip !== undefined, () => `the ${nameOfShard(shard)} is none of the chain's`);
  return tip;
}

function nameOf({ header }: CheckedBlock): string {
  return blockName(header.id, header.id.seqno);
}

function nameOfShard({ workchain, shard }: ShardId): string {
  return `shard (${workchain},${BigInt.asUintN(64, shard).toString(16)})`;
}
