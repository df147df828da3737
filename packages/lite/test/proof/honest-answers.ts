/** The answers of an honest server, parts of proofs for other answers, and the refusal of these. */
import { SUSPENDED_ACCOUNTS } from "@chain-query/format/accounts";
import { readBlockHeader } from "@chain-query/format/blocks";
import { type Cell, createMerkleProof, writeBocRoots } from "@chain-query/format/cells";
import type { AccountId, TransactionId } from "@chain-query/format/identifiers";
import { readStateShards } from "@chain-query/format/states";
import { expect } from "vitest";
import type { ListQuestion } from "../../src/proof/transactions.ts";
import { LiteError } from "../../src/wire/lite-error.ts";
import { queries } from "../../src/wire/tl/queries.ts";
import type { LiteAnswer } from "../../src/wire/tl/scheme.ts";
import type { SampleBlock, SampleChain } from "./sample-chain.ts";

/** The proof of a block's header, with the references to other blocks. */
export function headerProof({ root }: SampleBlock, withState = true): Cell {
  if (!root) throw new Error("a zero state has no header");
  return createMerkleProof(root, (block) => {
    const header = readBlockHeader(block);
    header.readPrevious();
    header.readMaster();
    if (withState) header.readStateHashes();
  });
}

export function stateProofs(block: SampleBlock, read: (state: Cell) => unknown): Uint8Array {
  const proof = createMerkleProof(block.state, (state) => void read(state));
  return writeBocRoots(block.root ? [headerProof(block), proof] : [proof]);
}

export function accountAnswer(chain: SampleChain, { id }: SampleBlock, account: AccountId): LiteAnswer<"getAccountState"> {
  return chain.ask(queries.getAccountState({ id, account }));
}

/** @param roots - Older servers prove the state after the block. */
export function shardsAnswer(chain: SampleChain, at: SampleBlock, roots: 1 | 2): LiteAnswer<"getAllShardsInfo"> {
  const answer = chain.ask(queries.getAllShardsInfo({ id: at.id }));
  return roots === 1 ? answer : { ...answer, proof: stateProofs(at, readStateShards) };
}

export function configAnswer(chain: SampleChain, { id }: SampleBlock): LiteAnswer<"getConfigParams"> {
  return chain.ask(queries.getConfigParams({ mode: 0, id, paramList: [SUSPENDED_ACCOUNTS] }));
}

export function queueAnswer(chain: SampleChain, { id }: SampleBlock): LiteAnswer<"getBlockOutMsgQueueSize"> {
  return chain.ask(queries.getBlockOutMsgQueueSize({ mode: 1, id }));
}

/** A block with the way from the masterchain block that commits it, and the header of the block before it. */
export function lookupAnswer(chain: SampleChain, at: SampleBlock, found: SampleBlock): LiteAnswer<"lookupBlockWithProof"> {
  return chain.ask(queries.lookupBlockWithProof({ mode: 2, id: found.id, mcBlockId: at.id, lt: found.endLt }));
}

export function listAnswer(
  chain: SampleChain,
  { id }: SampleBlock,
  { count, after, reverse }: ListQuestion,
): LiteAnswer<"listBlockTransactionsExt"> {
  const mode = 32 | (reverse ? 64 : 0) | (after ? 128 : 0);
  return chain.ask(queries.listBlockTransactionsExt({ id, mode, count, after }));
}

export function historyAnswer(
  chain: SampleChain,
  account: AccountId,
  from: TransactionId,
  count: number,
): LiteAnswer<"getTransactions"> {
  return chain.ask(queries.getTransactions({ count, account, ...from }));
}

/** A check throws an error of a wrong proof. */
export function expectUnproven(check: () => unknown, message: string | RegExp): void {
  expect(check).toThrow(LiteError);
  expect(check).toThrow(expect.objectContaining({ kind: "proof" }));
  expect(check).toThrow(message);
}
