/** The result of each operation as the chain's cells have it. The question is the app's own, never the one that an answer claims. */
import { base64 } from "@chain-query/format/cells";
import type { AccountId, BlockId, BlockSelector } from "@chain-query/format/identifiers";
import { parseAddress } from "@chain-query/openapi/address";
import type { ProvedStateBlock } from "@chain-query/proof/blocks";
import { type BlockType, blockIdExt } from "@chain-query/proof/values";
import type { OperationId, ResultOf } from "@chain-query/types";
import type { InputOf } from "../operations/input.ts";
import { findBlock, requirePlace } from "./blocks.ts";
import { deriveAccount, deriveQueueSizes } from "./states.ts";
import { deriveLocated } from "./transactions.ts";
import type { Roots, Untrusted } from "./untrusted.ts";

/** The verified part of a question. */
export interface Known {
  readonly head: ProvedStateBlock;
  readonly zeroState: BlockId;
  readonly type: BlockType;
}

/** Derives a result. @throws An error of any class if the roots do not have it. */
type Derive<Id extends OperationId> = (known: Known, input: InputOf<Id>, answered: Untrusted, roots: Roots) => ResultOf<Id>;

/** An operation whose result is as of the head. */
export type ProvedOperation = Exclude<OperationId, "getTransactionsStd">;

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
    const question = { account: accountOf(address), seqno: seqno === undefined ? undefined : Number(seqno) };
    return deriveAccount(type, head, question, answered, roots);
  },
  lookupBlock: ({ head, type }, input, answered, roots) => {
    const shard = { workchain: Number(input.workchain), shard: BigInt.asIntN(64, BigInt(input.shard)) };
    const question = { shard, selector: selectorOf(input) };
    return blockIdExt(type, findBlock(head, question, Number(answered["seqno"]), roots));
  },
  tryLocateSourceTx: (known, input, answered, roots) => locate(known, input, "sender", answered, roots),
  tryLocateResultTx: (known, input, answered, roots) => locate(known, input, "receiver", answered, roots),
  getOutMsgQueueSize: ({ head, type }, _, __, roots) => deriveQueueSizes(type, head, roots),
};

export function accountOf(address: string): AccountId {
  const { workchain, hash } = parseAddress(address);
  return { workchain, hash };
}

function selectorOf({ seqno, lt, unixtime }: InputOf<"lookupBlock">): BlockSelector {
  if (seqno !== undefined) return { seqno: Number(seqno) };
  return lt === undefined ? { time: Number(unixtime) } : { lt: BigInt(lt) };
}

function locate(
  { head }: Known,
  input: InputOf<"tryLocateSourceTx">,
  end: "sender" | "receiver",
  answered: Untrusted,
  roots: Roots,
): ResultOf<"tryLocateSourceTx"> {
  const [source, destination] = [accountOf(input.source), accountOf(input.destination)];
  const message = { source, destination, createdLt: BigInt(input.createdLt) };
  const { lt, cell, result } = deriveLocated(message, end, answered);
  requirePlace(head, end === "sender" ? source : destination, lt, cell, roots);
  return result;
}
