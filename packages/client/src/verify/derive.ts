/** The result of each operation as the chain's cells have it. The question is the app's own, never the one that an answer claims. */
import { base64 } from "@chain-query/format/cells";
import type { BlockId, BlockSelector } from "@chain-query/format/identifiers";
import type { MessageKey } from "@chain-query/format/store";
import { parseAddress } from "@chain-query/openapi/address";
import type { ProvedStateBlock } from "@chain-query/proof/blocks";
import { type BlockType, blockIdExt } from "@chain-query/proof/values";
import type { OperationId, ResultOf } from "@chain-query/types";
import type { InputOf } from "../operations/input.ts";
import type { Roots } from "./bags.ts";
import { findBlock } from "./blocks.ts";
import { deriveAccount, deriveQueueSizes } from "./states.ts";
import { deriveLocated } from "./transactions.ts";

/** An operation whose result is as of the head. */
export type ProvedOperation = Exclude<OperationId, "getTransactionsStd">;

/** The verified part of a question. */
interface Known {
  readonly head: ProvedStateBlock;
  readonly zeroState: BlockId;
  readonly type: BlockType;
}

/** Derives a result. @throws An error of any class if the roots do not have it. */
export type Derive<Id extends OperationId> = (
  known: Known,
  input: InputOf<Id>,
  answered: ResultOf<Id>,
  roots: Roots,
) => ResultOf<Id>;

export const derive: { readonly [Id in ProvedOperation]: Derive<Id> } = {
  getMasterchainInfo: ({ head, zeroState, type }) => ({
    "@type": "blocks.masterchainInfo",
    last: blockIdExt(type, head.id),
    state_root_hash: base64(head.stateRootHash),
    init: blockIdExt(type, zeroState),
  }),
  getConsensusBlock: ({ head }) => ({
    "@type": "ext.blocks.consensusBlock",
    consensus_block: head.id.seqno,
    timestamp: head.time,
  }),
  getAddressInformation: ({ head, type }, { address, seqno }, answered, roots) => {
    const question = { account: parseAddress(address), seqno: seqno === undefined ? undefined : Number(seqno) };
    return deriveAccount(type, head, question, answered, roots);
  },
  lookupBlock: ({ head, type }, input, answered, roots) => {
    const shard = { workchain: Number(input.workchain), shard: BigInt.asIntN(64, BigInt(input.shard)) };
    const question = { shard, selector: selectorOf(input) };
    return blockIdExt(type, findBlock(head, question, answered.seqno, roots));
  },
  tryLocateSourceTx: ({ head }, input, answered, roots) => deriveLocated(head, messageOf(input), "sender", answered, roots),
  tryLocateResultTx: ({ head }, input, answered, roots) => deriveLocated(head, messageOf(input), "receiver", answered, roots),
  getOutMsgQueueSize: ({ head, type }, _, __, roots) => deriveQueueSizes(type, head, roots),
};

function selectorOf({ seqno, lt, unixtime }: InputOf<"lookupBlock">): BlockSelector {
  if (seqno !== undefined) return { seqno: Number(seqno) };
  return lt === undefined ? { time: Number(unixtime) } : { lt: BigInt(lt) };
}

function messageOf({ source, destination, createdLt }: InputOf<"tryLocateSourceTx">): MessageKey {
  return { source: parseAddress(source), destination: parseAddress(destination), createdLt: BigInt(createdLt) };
}
