/** The member `proof` of a response (D-53). */
import { base64, type Cell, writeBoc, writeBocRoots } from "@chain-query/format/cells";
import type { AccountId, BlockId } from "@chain-query/format/identifiers";
import { type AnswerProofs, ChainReadError, type KeyLink, type SignedHeader } from "@chain-query/format/store";
import type { ProofPreference } from "@chain-query/openapi/heads";
import type { RequestInputs } from "@chain-query/openapi/requests";
import { type BlockType, blockIdExt } from "@chain-query/proof/values";
import type { OperationId, ResultOf, Schemas } from "@chain-query/types";
import { Encoded } from "./answer-cache/encoded.ts";
import { type Context, selectorOf } from "./handlers.ts";
import type { RequestHead } from "./request-head.ts";
import { createTicks } from "./ticks.ts";

/** The parts of a proof. */
interface Parts {
  /** The masterchain block that the result is as of; absent if the proof needs none. */
  readonly at?: BlockId;
  readonly cells?: readonly Cell[];
}

/** The chain as of the head of a response. */
interface At {
  readonly proofs: AnswerProofs;
  readonly head: BlockId;
  readonly signal: AbortSignal;
}

/** A result as its handler returns it. */
type Result<Id extends OperationId> = ResultOf<Id> | Encoded<ResultOf<Id>>;

/** Proves a result. Undefined if it has no proof. */
type Prove<Id extends OperationId> = (inputs: RequestInputs[Id], result: Result<Id>, at: At) => Promise<Parts | undefined>;

function parsed<Value extends object>(result: Value | Encoded<Value>): Value {
  return result instanceof Encoded ? JSON.parse(String(result.json)) : result;
}

/** The lt of the first transaction of a result. Parsing a page, or reading all of it as text, takes longer than its proof. */
function firstLt(result: Result<"getTransactionsStd"> | Result<"tryLocateSourceTx">): string | undefined {
  const json = result instanceof Encoded ? result.json : JSON.stringify(result);
  const at = json.indexOf('"transaction_id":');
  return at < 0 ? undefined : /"lt":"(\d+)"/.exec(String(json.slice(at, at + 200)))?.[1];
}

async function proveLocated(
  account: AccountId,
  result: Result<"tryLocateSourceTx">,
  { proofs, head, signal }: At,
): Promise<Parts> {
  return { at: head, cells: await proofs.transaction({ account, lt: BigInt(firstLt(result) ?? 0) }, head, signal) };
}

const provers: { readonly [Id in OperationId]: Prove<Id> } = {
  getMasterchainInfo: async (_, result, { proofs, head, signal }) => ({
    at: await proofs.masterchainBlock(parsed(result).last.seqno, head, signal),
  }),
  getConsensusBlock: async (_, result, { head }) => (parsed(result).consensus_block === head.seqno ? { at: head } : undefined),
  getAddressInformation: async ({ address, seqno }, result, { proofs, head, signal }) => {
    const { block_id } = parsed(result);
    const at = seqno === undefined ? await proofs.masterchainBlock(block_id.seqno, head, signal) : head;
    return { at, ...(await proofs.account(address, { seqno, hasState: true }, at, signal)) };
  },
  getTransactionsStd: async ({ address, lt }, page, { proofs, head, signal }) => {
    if (lt !== undefined) return {};
    const { cells, last } = await proofs.account(address, { hasState: false }, head, signal);
    if ((firstLt(page) ?? String(last.lt)) !== String(last.lt)) throw otherHead;
    return { at: head, cells };
  },
  lookupBlock: async (request, _, { proofs, head, signal }) => ({
    at: head,
    cells: await proofs.block(request, selectorOf(request), head, signal),
  }),
  // A message from outside has no transaction that sent it.
  tryLocateSourceTx: async ({ source }, result, at) => (source === "" ? undefined : proveLocated(source, result, at)),
  tryLocateResultTx: ({ destination }, result, at) => proveLocated(destination, result, at),
  getOutMsgQueueSize: async (_, result, { proofs, head, signal }) => {
    const { shards } = parsed(result);
    const ids = shards.map(({ id }) => ({ workchain: id.workchain, shard: BigInt(id.shard) }));
    const at = await proofs.masterchainBlock(shards[0]?.id.seqno ?? head.seqno, head, signal);
    return { at, cells: await proofs.queues(ids, at, signal) };
  },
};

const otherHead = new ChainReadError("unavailable", "the head changed while the response was proved, ask again");

/** One proof in each tick of the event loop, so that proofs do not delay other requests. */
const nextTick = createTicks();

/**
 * Proves a result, as JSON. Undefined if the source has no proofs, or none of this result.
 *
 * @param head - As of which the request was answered.
 */
export async function proveAnswer<Id extends OperationId>(
  id: Id,
  inputs: RequestInputs[Id],
  result: Result<Id>,
  preference: ProofPreference,
  { source, proofs: load, blockType }: Context,
  head: RequestHead,
): Promise<string | undefined> {
  const proofs = await load?.();
  if (proofs === undefined) return undefined;
  await nextTick();
  const { signal } = head;
  signal.throwIfAborted();
  const known = head.known ?? (await head.newest());
  // A chain without blocks has no signatures.
  if (known.block.id.seqno === 0) return undefined;
  const prove: Prove<Id> = provers[id];
  const proveAt = (block: BlockId) => prove(inputs, result, { proofs, head: block, signal });
  const parts = await proveAt(known.block.id).catch(async (error: unknown) => {
    // A request that waited may have read a newer block than the one that ended the wait.
    const newest = await source.head(signal);
    if (newest === known) throw error;
    return proveAt(head.reach(newest).block.id);
  });
  if (parts === undefined) return undefined;
  const { at, cells } = parts;
  const isLinked = preference.key !== undefined && id === "getMasterchainInfo" && at !== undefined;
  const links = isLinked ? await proofs.links(preference.key, at, signal) : undefined;
  const isNeeded = links === undefined && at !== undefined && at.seqno !== preference.head;
  const members = [
    '"@type":"chain.proof"',
    ...(isNeeded ? [`"head":${headText(await proofs.head(at, signal), blockType)}`] : []),
    ...(links === undefined ? [] : [`"links":[${links.map((link) => linkText(link, blockType)).join()}]`]),
    ...(cells === undefined ? [] : [`"cells":"${cellsText(cells, blockType)}"`]),
  ];
  return `{${members.join()}}`;
}

/** Texts of parts that a source gives again: most responses are as of the same head. */
function textOnce<Part extends object>(write: (part: Part, blockType: BlockType) => string) {
  const known = new WeakMap<Part, string>();
  return (part: Part, blockType: BlockType): string => {
    const text = known.get(part) ?? write(part, blockType);
    known.set(part, text);
    return text;
  };
}

const headText = textOnce(({ block, header, signers, signatures, vote }: SignedHeader, blockType): string => {
  const head: Schemas["ProofHead"] = {
    block_id: blockIdExt(blockType, block),
    header: base64(writeBoc(header)),
    signers: base64(signers),
    signatures: base64(signatures),
    ...(vote && { session: base64(vote.sessionId), slot: vote.slot, candidate: base64(vote.candidate) }),
  };
  return JSON.stringify(head);
});

const linkText = textOnce(
  ({ config, head }: KeyLink, blockType) => `{"config":"${base64(writeBoc(config))}","head":${headText(head, blockType)}}`,
);

const cellsText = textOnce((cells: readonly Cell[]) => base64(writeBocRoots(cells)));
