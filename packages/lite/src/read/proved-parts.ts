/** Parts of proofs from the answers of lite servers, which are checked before they are passed on. */

import { SUSPENDED_ACCOUNTS } from "@chain-query/format/accounts";
import { lookUpTransaction, readBlockHeader } from "@chain-query/format/blocks";
import { type Cell, mergeTrees, openMerkleProof, replacePruned } from "@chain-query/format/cells";
import {
  type AccountId,
  type BlockId,
  type BlockSelector,
  isSameShard,
  MASTERCHAIN,
  namedBlock,
  type ShardId,
  smallestShard,
} from "@chain-query/format/identifiers";
import { lookUpShard, readStateShards } from "@chain-query/format/states";
import type { AccountProofOptions, KeyLink, SignedHeader, TransactionPlace } from "@chain-query/format/store";
import { selectMasterchainValidators } from "@chain-query/format/validator-groups";
import { openState, previousIn } from "@chain-query/proof/blocks";
import { checkAccountState } from "../proof/account.ts";
import { checkBlockHeader, checkQueueSize, checkSuspendedList } from "../proof/block.ts";
import { verifyBlockProof } from "../proof/block-links.ts";
import { checkAncestor, checkBlockLookup } from "../proof/block-lookup.ts";
import { checked, readData, readProof, readProofs } from "../proof/evidence.ts";
import { checkTransactionCells } from "../proof/transactions.ts";
import { type ProvedAccountCells, proveAccount, proveQueues, type StateTrees } from "../proving/account.ts";
import { prove, proveConfig } from "../proving/proofs.ts";
import { signedHeader } from "../proving/signed-header.ts";
import type { PoolRead } from "../servers/pool.ts";
import { LiteError } from "../wire/lite-error.ts";
import { queries } from "../wire/tl/queries.ts";
import type { LiteAnswer } from "../wire/tl/scheme.ts";
import { findBlock, readHistory, SHOW_STATE } from "./blocks.ts";
import { listQuery } from "./find-transactions.ts";
import type { ReadContext } from "./read-context.ts";

/** Bits of the mode: a target that is the newest block. */
const TO_TARGET = 0x1001;

/** An answer as it was sent, after its check. */
function readChecked<Answer>(
  context: ReadContext,
  query: PoolRead<Answer, Answer>["query"],
  check: (answer: Answer, signal: AbortSignal) => unknown,
  isImmutable = false,
): Promise<Answer> {
  const checkedAnswer = async (answer: Answer, signal: AbortSignal): Promise<Answer> => {
    await check(answer, signal);
    return answer;
  };
  return context.ask({ query, check: checkedAnswer, purpose: "proof", isImmutable });
}

/** The proof of a header, by default with the hash of the state. */
async function readHeader(context: ReadContext, id: BlockId, mode: number = SHOW_STATE): Promise<Cell> {
  const query = queries.getBlockHeader({ id, mode });
  // Most proofs as of a head have the same headers.
  return readProof((await readChecked(context, query, (answer) => checkBlockHeader(id, answer), true)).headerProof);
}

/** The trees of a state that proofs show: after the header of its block, unless it is a zero state. */
function treeIn(proofs: readonly Cell[]): Cell {
  const [tree] = proofs.at(-1)?.refs ?? [];
  if (!tree) throw new LiteError("proof", "a proof of a state must have one root or two, got 0");
  return tree;
}

/** The masterchain block of a number up to that of the context. */
export async function readMasterchainBlock(context: ReadContext, seqno: number, zeroState: BlockId): Promise<BlockId> {
  if (seqno === context.at.seqno) return context.at;
  if (seqno === 0) return zeroState;
  const { ancestor } = await readHistory(context, seqno);
  if (!ancestor) throw new LiteError("protocol", `the history of block ${context.at.seqno} has no block ${seqno}`);
  return ancestor;
}

export async function readSignedHead(context: ReadContext, zeroState: BlockId): Promise<SignedHeader> {
  const { at } = context;
  const { previousKeySeqno } = readBlockHeader(openMerkleProof(await readHeader(context, at), at.rootHash));
  const key = await readMasterchainBlock(context, previousKeySeqno, zeroState);
  const link = (await readLinks(context, key)).at(-1);
  if (link?.head.block.seqno !== at.seqno)
    throw new LiteError("unavailable", `no lite server has signatures of block ${at.seqno}`);
  return link.head;
}

/** Links from a key block to the one of the context; undefined if the number is not one of a key block before. */
export async function readKeyLinks(
  context: ReadContext,
  seqno: number,
  zeroState: BlockId,
): Promise<readonly KeyLink[] | undefined> {
  if (seqno >= context.at.seqno) return undefined;
  const key = await readMasterchainBlock(context, seqno, zeroState);
  const isKey = seqno === 0 || readBlockHeader(openMerkleProof(await readHeader(context, key), key.rootHash)).isKey;
  return isKey ? readLinks(context, key) : undefined;
}

async function readLinks(context: ReadContext, from: BlockId): Promise<readonly KeyLink[]> {
  const query = queries.getBlockProof({ mode: TO_TARGET, knownBlock: from, targetBlock: context.at });
  const { steps } = await readChecked(context, query, (answer, signal) => verifyBlockProof(from, answer, signal));
  return Promise.all(steps.map((step) => readLink(context, step)));
}

async function readLink(context: ReadContext, step: LiteAnswer<"getBlockProof">["steps"][number]): Promise<KeyLink> {
  const { type, from, to } = step;
  if (type === "blockLinkBack") throw new LiteError("unavailable", `no lite server has signatures of block ${to.seqno}`);
  const header = await readHeader(context, to);
  const { catchainSeqno } = readBlockHeader(openMerkleProof(header, to.rootHash));
  const root = openMerkleProof(readProof(step.configProof), from.rootHash);
  const { value: group, proof: config } = proveConfig(from, root, (parameters) =>
    selectMasterchainValidators(parameters, catchainSeqno),
  );
  return { config, head: signedHeader(to, header, group, step.signatures) };
}

/** An account as of the block of the context, or of an earlier one. */
export async function readAccountProof(
  context: ReadContext,
  account: AccountId,
  { seqno, hasState }: AccountProofOptions,
): Promise<ProvedAccountCells> {
  const past = seqno === undefined || seqno >= context.at.seqno ? undefined : await readPast(context, seqno);
  const at = past?.id ?? context.at;
  const asOf = context.asOf(at);
  const [answer, config] = await Promise.all([
    readChecked(asOf, queries.getAccountState({ id: at, account }), (each) => checkAccountState({ at, account }, each)),
    hasState ? readSuspended(asOf) : [],
  ]);
  const ofMaster = readProofs(account.workchain === -1 ? answer.proof : answer.shardProof, 2);
  const [cell] = answer.state.length > 0 ? readData(answer.state, "account") : [];
  const shown = [cell, ...(cell?.refs ?? [])];
  const find = (hash: Uint8Array) => shown.find((each) => each && Buffer.compare(each.hash, hash) === 0);
  const withAccount = (tree: Cell): Cell => (hasState ? replacePruned(tree, find) : tree);
  const master = withAccount(mergeTrees([treeIn(ofMaster), ...config]));
  const ofShard = (): StateTrees => {
    const proofs = readProofs(answer.proof, 2);
    return { headers: proofs.slice(0, -1), state: withAccount(treeIn(proofs)) };
  };
  const { cells, last } = proveAccount(master, account, hasState, ofShard);
  return { cells: [...(past?.cells ?? []), ...cells], last };
}

async function readSuspended(context: ReadContext): Promise<readonly Cell[]> {
  const { at } = context;
  const query = queries.getConfigParams({ mode: 0, id: at, paramList: [SUSPENDED_ACCOUNTS] });
  return [treeIn([readProof((await readChecked(context, query, (answer) => checkSuspendedList(at, answer))).configProof)])];
}

async function readPast(context: ReadContext, seqno: number) {
  const { at } = context;
  const query = queries.lookupBlockWithProof({ mode: 1, id: { ...MASTERCHAIN, seqno }, mcBlockId: at });
  const { id, mcBlockProof } = await readChecked(context, query, (answer) => checkAncestor(at, seqno, answer));
  return { id, cells: [readProof(mcBlockProof), await readHeader(context, id)] };
}

export async function readBlockProof(context: ReadContext, shard: ShardId, selector: BlockSelector): Promise<readonly Cell[]> {
  const block = await findBlock(context, shard, selector);
  if (!block) throw new LiteError("protocol", "a block that was found is missing");
  const cells = await readLookup(context, block.id, block.endLt);
  const before = "time" in selector ? previousIn(shard, block.previous ?? []) : undefined;
  return before && before.seqno > 0 ? [...cells, await readHeader(context, before, 0)] : cells;
}

/** Look-ups by lt find each block, also those whose numbers servers do not find after a merge. */
async function readLookup(context: ReadContext, id: BlockId, endLt: bigint): Promise<readonly Cell[]> {
  const { at } = context;
  const question = { at, shard: id, selector: { lt: endLt } };
  const query = queries.lookupBlockWithProof({ mode: 2, id: { ...id, seqno: 0 }, mcBlockId: at, lt: BigInt.asIntN(64, endLt) });
  const found = await readChecked(context, query, (answer) => checkBlockLookup(question, answer));
  const past = found.mcBlockId.seqno === at.seqno ? [] : [readProof(found.mcBlockProof)];
  return [...past, ...found.shardLinks.map(({ proof }) => readProof(proof)), readProof(found.header)];
}

export async function readTransactionProof(context: ReadContext, { account, lt }: TransactionPlace): Promise<readonly Cell[]> {
  const block = await findBlock(context, smallestShard(account), { lt });
  if (!block) throw new LiteError("protocol", "the block of a transaction that was found is missing");
  const after = { account: account.hash, lt: lt + 1n };
  const question = { block: block.id, count: 1, after, reverse: true };
  const list = await readChecked(context, listQuery(block.id, after, 1, true), (answer) =>
    checkTransactionCells(question, answer),
  );
  const tree = openMerkleProof(readProof(list.proof), block.id.rootHash);
  const { proof } = prove(tree, (root) => lookUpTransaction(root, { account: account.hash, lt }));
  return [...(await readLookup(context, block.id, block.endLt)), proof];
}

/** The sizes of the queues of shards, the masterchain first. */
export async function readQueueProof(context: ReadContext, shards: readonly ShardId[]): Promise<readonly Cell[]> {
  const { at } = context;
  const readTrees = async (id: BlockId): Promise<StateTrees> => {
    const query = queries.getBlockOutMsgQueueSize({ mode: 1, id });
    const { proof = new Uint8Array() } = await readChecked(context, query, (answer) => checkQueueSize(id, answer));
    const proofs = readProofs(proof, 2);
    return { headers: proofs.slice(0, -1), state: treeIn(proofs) };
  };
  const readTop = async ({ workchain, shard }: ShardId) => {
    const query = queries.getShardInfo({ id: at, workchain, shard, exact: true });
    const open = ({ shardProof }: LiteAnswer<"getShardInfo">) =>
      checked("a proof of a shard", () => openState(at, readProofs(shardProof, 2)));
    const state = open(await readChecked(context, query, open));
    const top = lookUpShard(readStateShards(state), { workchain, shard });
    if (!top) throw new LiteError("proof", `the shard ${shard} of workchain ${workchain} must exist`);
    return { state, trees: await readTrees(namedBlock(top, top.block)) };
  };
  const others = shards.filter((shard) => !isSameShard(shard, MASTERCHAIN));
  const [{ state }, ...tops] = await Promise.all([readTrees(at), ...others.map(readTop)] as const);
  const master = mergeTrees([state, ...tops.map((top) => top.state)]);
  return proveQueues(master, others, (_, index) => tops[index]?.trees);
}
