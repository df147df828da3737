/** The answers of an honest server, and the refusal of others. */
import { readSuspendedList } from "@chain-query/format/accounts";
import { readBlockHeader, readBlockShards, readTransactions } from "@chain-query/format/blocks";
import { type Cell, CellBuilder, createMerkleProof, writeBoc, writeBocRoots } from "@chain-query/format/cells";
import {
  type AccountId,
  type BlockId,
  containsAccount,
  isSameBlock,
  namedBlock,
  type TransactionId,
} from "@chain-query/format/identifiers";
import {
  lookUpAccount,
  lookUpPastBlock,
  lookUpShard,
  readMasterchainParts,
  readQueueSize,
  readStateShards,
} from "@chain-query/format/states";
import { expect } from "vitest";
import type { ListQuestion } from "../../src/proof/transactions.ts";
import { LiteError } from "../../src/wire/lite-error.ts";
import type { LiteAnswer } from "../../src/wire/tl/scheme.ts";
import { LEFT, MASTER, RIGHT, type SampleBlock, type SampleChain } from "./sample-chain.ts";

const NO_BYTES = new Uint8Array();

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

export function accountAnswer(chain: SampleChain, at: SampleBlock, account: AccountId): LiteAnswer<"getAccountState"> {
  const shard = [LEFT, RIGHT].find((one) => containsAccount(one, account));
  const top = shard && lookUpShard(readStateShards(at.state), shard);
  const shardBlock = top ? chain.block(top, top.block.seqno) : at;
  const found = lookUpAccount(shardBlock.state, account.hash);
  return {
    id: at.id,
    shardblk: shardBlock.id,
    shardProof: shard ? stateProofs(at, (state) => lookUpShard(readStateShards(state), shard)) : NO_BYTES,
    proof: stateProofs(shardBlock, (state) => lookUpAccount(state, account.hash)),
    state: found ? writeBoc(found.account) : NO_BYTES,
  };
}

export function shardsAnswer(at: SampleBlock, roots: 1 | 2): LiteAnswer<"getAllShardsInfo"> {
  const { root, state } = at;
  if (!root) throw new Error("a zero state has no block");
  const data = new CellBuilder().maybeRef(readStateShards(state)).cell();
  const one = () => writeBoc(createMerkleProof(root, (block) => void readBlockShards(block)));
  return { id: at.id, proof: roots === 1 ? one() : stateProofs(at, readStateShards), data: writeBoc(data) };
}

export function configAnswer(block: SampleBlock): LiteAnswer<"getConfigParams"> {
  const proof = createMerkleProof(block.state, (state, keep) => {
    const list = readSuspendedList(readMasterchainParts(state).config);
    if (list) keep(list);
  });
  const stateProof = block.root ? writeBoc(headerProof(block)) : NO_BYTES;
  return { mode: 0, id: block.id, stateProof, configProof: writeBoc(proof) };
}

export function queueAnswer(block: SampleBlock): LiteAnswer<"getBlockOutMsgQueueSize"> {
  return { mode: 1, id: block.id, size: BigInt(readQueueSize(block.state) ?? -1), proof: stateProofs(block, readQueueSize) };
}

/** A block with the way from the masterchain block that commits it. */
export function lookupAnswer(chain: SampleChain, at: SampleBlock, found: SampleBlock): LiteAnswer<"lookupBlockWithProof"> {
  const { id } = found;
  // The sample registers one block of the right shard, and two of the left one, in each masterchain block.
  const seqno = id.workchain === -1 ? id.seqno : id.shard === LEFT.shard ? Math.ceil(id.seqno / 2) : id.seqno;
  const master = chain.block(MASTER, seqno);
  const isPast = !isSameBlock(master.id, at.id);
  const [previous] = found.root ? readBlockHeader(found.root).readPrevious() : [];
  const before = previous && chain.block(id, previous.seqno);
  return {
    id,
    mode: 0,
    mcBlockId: master.id,
    clientMcStateProof: isPast ? writeBoc(headerProof(at)) : NO_BYTES,
    mcBlockProof: isPast ? writeBoc(createMerkleProof(at.state, (state) => void lookUpPastBlock(state, seqno))) : NO_BYTES,
    shardLinks: id.workchain === -1 ? [] : links(chain, master, found),
    header: writeBoc(headerProof(found, false)),
    prevHeader: before?.root ? writeBoc(headerProof(before, false)) : NO_BYTES,
  };
}

function links(chain: SampleChain, master: SampleBlock, found: SampleBlock) {
  const { root } = master;
  const top = root && lookUpShard(readBlockShards(root), found.id);
  if (!top) throw new Error("a shard is missing");
  let at: BlockId = namedBlock(top, top.block);
  const made = [
    {
      id: withoutLt(at),
      proof: writeBoc(createMerkleProof(root, (block) => void lookUpShard(readBlockShards(block), found.id))),
    },
  ];
  while (!isSameBlock(at, found.id)) {
    const block = chain.block(at, at.seqno);
    at = chain.block(at, at.seqno - 1).id;
    made.push({ id: at, proof: writeBoc(headerProof(block, false)) });
  }
  return made;
}

function withoutLt({ workchain, shard, seqno, rootHash, fileHash }: BlockId): BlockId {
  return { workchain, shard, seqno, rootHash, fileHash };
}

export function listAnswer(
  block: SampleBlock,
  { count, after, reverse }: ListQuestion,
): LiteAnswer<"listBlockTransactionsExt"> {
  const root = requireRoot(block);
  let isComplete = true;
  let found: { account: Uint8Array; lt: bigint; cell: Cell }[] = [];
  const proof = createMerkleProof(root, (tree) => {
    found = [];
    isComplete = true;
    for (const transaction of readTransactions(tree, { after, falling: reverse })) {
      found.push(transaction);
      isComplete = found.length < count;
      if (!isComplete) break;
    }
  });
  return {
    id: block.id,
    reqCount: count,
    incomplete: !isComplete,
    transactions: found.length > 0 ? writeBocRoots(found.map(({ cell }) => cell)) : NO_BYTES,
    proof: writeBoc(proof),
  };
}

export function historyAnswer(
  chain: SampleChain,
  account: AccountId,
  from: TransactionId,
  count: number,
): LiteAnswer<"getTransactions"> {
  const all = chain.transactions.filter((one) => one.account === account && one.id.lt <= from.lt).reverse();
  const page = all.slice(0, count);
  return { ids: page.map(({ block }) => block), transactions: writeBocRoots(page.map(({ cell }) => cell)) };
}

function requireRoot({ root }: SampleBlock): Cell {
  if (!root) throw new Error("a zero state has no block");
  return root;
}

/** A check throws an error of a wrong proof. */
export function expectUnproven(check: () => unknown, message: string | RegExp): void {
  expect(check).toThrow(LiteError);
  expect(check).toThrow(expect.objectContaining({ kind: "proof" }));
  expect(check).toThrow(message);
}
