import { writeBoc } from "../cells/boc-writer.ts";
import type { Cell } from "../cells/cell.ts";
import { CellBuilder } from "../cells/cell-builder.ts";
import { merkleUpdate } from "../cells/exotic.ts";
import { sha256 } from "../cells/representation.ts";
import type { Trie } from "../dictionary/trie.ts";
import { addCurrencies, type Currencies, coinsOnly, NO_CURRENCIES } from "../state/currencies.ts";
import type { ShardDescription } from "../state/shard-description.ts";
import { type ShardState, stateDigest } from "../state/shard-state.ts";
import { accountBlocks } from "./account-blocks.ts";
import { blockInfoCell } from "./block-info.ts";
import type { AssembledBlock, BlockContent, ValueFlow } from "./content.ts";
import { type Descriptions, describeMessages } from "./descriptions.ts";
import { masterchainBlockExtra, type ShardFees, shardFees } from "./masterchain-block-extra.ts";
import { nextState } from "./next-state.ts";
import { valueFlowCell } from "./value-flow.ts";

/**
 * Makes a block and the state after it. Transactions and messages stand in it as the cells that they came as.
 *
 * @throws RangeError where what is to go into it does not fit together: value that appears or vanishes, an lt outside of the
 * block, a message from nowhere, a transaction that does not go on from its account's state.
 *
 * @example
 * const block = assembleBlock({ before: state, previous, startLt, endLt, time, randomSeed, master, transactions });
 * block.id.rootHash; // block.state is the next one's `before`
 */
export function assembleBlock(content: BlockContent): AssembledBlock {
  checkTimes(content);
  const { before } = content;
  const messages = describeMessages(content);
  const accounts = accountBlocks(content.transactions.map(({ transaction }) => transaction));
  const fees = shardFees(before.masterchain ? (content.shards ?? []) : [], before.seqno + 1);
  const feesCollected = [coinsOnly(messages.inMessages.extra.feesCollected), fees.extra.fees].reduce(
    addCurrencies,
    accounts.extra,
  );
  const state = nextState(content, messages.queue, feesCollected);
  const valueFlow: ValueFlow = {
    before: before.accounts.extra,
    after: state.accounts.extra,
    imported: messages.inMessages.extra.valueImported,
    exported: messages.outMessages.extra,
    feesCollected,
    feesImported: fees.extra.fees,
    recovered: NO_CURRENCIES,
    created: NO_CURRENCIES,
    minted: NO_CURRENCIES,
  };
  const stateAfter = stateDigest(state);
  const root = new CellBuilder()
    .uint(0x11ef55aa, 32)
    .int(before.globalId, 32)
    .ref(blockInfoCell(content, state))
    .ref(valueFlowCell(valueFlow))
    .ref(merkleUpdate(stateDigest(before), stateAfter))
    .ref(extraCell(content, messages, accounts, fees, state))
    .cell();
  const boc = writeBoc(root);
  const names = { seqno: state.seqno, rootHash: root.hash, fileHash: sha256(boc) };
  return {
    id: { ...state.shard, ...names },
    ref: { endLt: content.endLt, ...names },
    startLt: content.startLt,
    time: content.time,
    root,
    boc,
    state,
    stateRootHash: stateAfter.hash,
    valueFlow,
    enqueued: messages.enqueued,
  };
}

/** What the masterchain block `seqno` says of a shard's new block. */
export function describeShard(block: AssembledBlock, seqno: number): ShardDescription {
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
  };
}

/** TL-B BlockExtra. */
function extraCell(
  { randomSeed, config }: BlockContent,
  { inMessages, outMessages }: Descriptions,
  accounts: { write: Trie<unknown, Currencies>["write"] },
  fees: Trie<ShardDescription, ShardFees>,
  { masterchain }: ShardState,
): Cell {
  const builder = new CellBuilder().uint(0x4a33f6fd, 32);
  for (const dictionary of [inMessages, outMessages, accounts]) {
    const part = new CellBuilder();
    dictionary.write(part, "cells");
    builder.ref(part.cell());
  }
  return builder
    .bytes(randomSeed)
    .bytes(NOBODY)
    .maybeRef(masterchain && masterchainBlockExtra(masterchain, fees, config !== undefined))
    .cell();
}

/** Who made the block: there are no validators here. */
const NOBODY: Uint8Array = new Uint8Array(32);

function checkTimes({ before, startLt, endLt, time, transactions, master, randomSeed }: BlockContent): void {
  if (randomSeed.length !== 32) throw new RangeError(`a random seed of ${randomSeed.length} bytes is none of 32`);
  if (startLt < before.lt || endLt <= startLt) throw new RangeError(`lt ${startLt} to ${endLt} is no time after ${before.lt}`);
  if (time < before.time) throw new RangeError(`a block of time ${time} cannot follow one of ${before.time}`);
  if ((master === undefined) !== (before.masterchain !== undefined)) {
    throw new RangeError("shard blocks refer to a masterchain block, and masterchain blocks to none");
  }
  for (const { transaction } of transactions) {
    const last = transaction.lt + BigInt(transaction.outMessages.length);
    if (transaction.lt < startLt || last >= endLt) {
      throw new RangeError(`a transaction of lt ${transaction.lt} does not lie in ${startLt} to ${endLt}`);
    }
  }
}
