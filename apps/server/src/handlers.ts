/** The handlers of the contract's operations, under their operationIds. */
import { type Awaitable, andThen } from "@chain-query/format/async";
import { base64 } from "@chain-query/format/cells";
import { EXTERNAL_QUEUE_LIMIT } from "@chain-query/format/states";
import {
  type AnswerProofs,
  type BlockSelector,
  type BlockSummary,
  ChainReadError,
  type ChainReader,
  type Head,
  type ShardQueue,
} from "@chain-query/format/store";
import type { RequestInputs } from "@chain-query/openapi/requests";
import { type BlockType, blockIdExt, fullAccountState } from "@chain-query/proof/values";
import type { OperationId, ResultOf } from "@chain-query/types";
import { type Encoded, encodeOnce } from "./answer-cache/encoded.ts";
import type { LocatedTransactions } from "./answer-cache/located.ts";
import type { TransactionPages } from "./answer-cache/transaction-pages.ts";
import { HttpError } from "./failure.ts";
import type { RequestHead } from "./request-head.ts";

/** The sources and caches of all handlers. */
export interface Context {
  readonly source: ChainReader;
  readonly pages: TransactionPages;
  readonly located: LocatedTransactions;
  /** Loads the proofs of the source; undefined if it has none. */
  readonly proofs?: (() => Promise<AnswerProofs | undefined>) | undefined;
  /** The `@type` of block identifiers, which names the network (D-01). */
  readonly blockType: BlockType;
}

/**
 * Handles one operation. Returns a value of the contract or its JSON, without a promise if the source answers at once.
 *
 * @param head - As of which everything is read. Its signal aborts at the deadline of the request, or when the caller has closed the
 * connection.
 * @throws HttpError with the reason if it cannot.
 */
export type Handler<Id extends OperationId> = (
  inputs: RequestInputs[Id],
  context: Context,
  head: RequestHead,
) => Awaitable<ResultOf<Id> | Encoded<ResultOf<Id>>>;

/** The head of the masterchain, and its zero state. */
const getMasterchainInfo: Handler<"getMasterchainInfo"> = (_, { source, blockType }, head) =>
  andThen(head.newest(), (newest) =>
    andThen(source.genesis(head.signal), (genesis) =>
      encodeHead(newest, () => ({
        "@type": "blocks.masterchainInfo",
        last: blockIdExt(blockType, newest.block.id),
        state_root_hash: base64(newest.block.stateRootHash),
        init: blockIdExt(blockType, genesis.block),
      })),
    ),
  );

const encodeHead = encodeOnce<Head, "getMasterchainInfo">("getMasterchainInfo");

/** The newest block that every node behind the source can answer from (D-20), and its time in whole seconds (D-21). */
const getConsensusBlock: Handler<"getConsensusBlock"> = (_, { source }, head) =>
  andThen(source.consensus(head.signal), (block) => {
    // Databases may have a newer block than this process knows.
    head.answerAsOf(block.id.seqno);
    return encodeConsensus(block, () => ({
      "@type": "ext.blocks.consensusBlock",
      consensus_block: block.id.seqno,
      timestamp: block.time,
    }));
  });

const encodeConsensus = encodeOnce<BlockSummary, "getConsensusBlock">("getConsensusBlock");

/** The queue size of each shard, the masterchain first, or a failure if one is not known (D-42). */
const getOutMsgQueueSize: Handler<"getOutMsgQueueSize"> = (_, { source, blockType }, head) =>
  andThen(
    andThen(head.newest(), (newest) => source.queues(newest, head.signal)),
    (queues) =>
      encodeQueues(queues, () => ({
        "@type": "blocks.outMsgQueueSizes",
        shards: queues.map(({ id, queueSize: size }) => {
          if (size === undefined)
            throw new ChainReadError(
              "unavailable",
              `the queue size of shard ${id.shard} of workchain ${id.workchain} is not known yet, ask again later`,
            );
          return { "@type": "blocks.outMsgQueueSize", id: blockIdExt(blockType, id), size };
        }),
        ext_msg_queue_size_limit: EXTERNAL_QUEUE_LIMIT,
      })),
  );

const encodeQueues = encodeOnce<readonly ShardQueue[], "getOutMsgQueueSize">("getOutMsgQueueSize");

/** The block of a shard with a sequence number, with a logical time, or the first one at or after a time (D-12). */
const lookupBlock: Handler<"lookupBlock"> = (request, { source, blockType }, head) =>
  andThen(
    head.find((at) => source.block(request, selectorOf(request), at, head.signal)),
    (block) => (block === undefined ? missingBlock(request, source, head) : blockIdExt(blockType, block.id)),
  );

/** @throws HttpError with the reason. */
async function missingBlock(request: RequestInputs["lookupBlock"], source: ChainReader, head: RequestHead): Promise<never> {
  const { workchain, shard } = request;
  const all = await source.shards(await head.newest(), head.signal);
  const ofWorkchain = all.map(({ id }) => id).filter((id) => id.workchain === workchain);
  if (ofWorkchain.length === 0)
    throw new HttpError(404, `block was not found: the chain has no workchain ${workchain}`, { reason: "block_unknown" });
  const tip = ofWorkchain.find((id) => id.shard === shard);
  // A number up to the tip is missing if a merge skipped it: numbers continue above those of both halves.
  if (tip !== undefined && !(request.seqno !== undefined && request.seqno <= tip.seqno))
    throw new HttpError(404, `block was not found: ${selectorText(request)} is past the head, ${tip.seqno}`, {
      reason: "block_pending",
    });
  const shards = ofWorkchain.map((id) => `${id.shard} up to ${id.seqno}`).join(", ");
  const where = `the shards of workchain ${workchain} are ${shards}`;
  throw new HttpError(404, `block was not found: ${selectorText(request)} of shard ${shard}; ${where}`, {
    reason: "block_unknown",
  });
}

/** The selector of a look-up. */
export function selectorOf({ seqno, lt, unixtime }: RequestInputs["lookupBlock"]): BlockSelector {
  if (seqno !== undefined) return { seqno };
  return lt !== undefined ? { lt } : { time: unixtime };
}

function selectorText({ seqno, lt, unixtime }: RequestInputs["lookupBlock"]): string {
  if (seqno !== undefined) return `seqno ${seqno}`;
  return lt === undefined ? `unixtime ${unixtime}` : `lt ${lt}`;
}

/** The state of an account as of the head, or of an earlier masterchain block (D-16). */
const getAddressInformation: Handler<"getAddressInformation"> = ({ address, seqno }, { source, blockType }, head) => {
  const read = (at: Head) => source.account(address, seqno, at, head.signal);
  return andThen(seqno === undefined ? andThen(head.newest(), read) : head.find(read), (state) => {
    if (state !== undefined) return fullAccountState(blockType, state);
    throw new HttpError(404, `block was not found: seqno ${seqno} is past the head, ${head.seqno}`, {
      reason: "block_pending",
    });
  });
};

/** One page of an account's transactions, newest first (D-13, D-14, D-15, D-26). */
const getTransactionsStd: Handler<"getTransactionsStd"> = (request, { pages }, head) => {
  const { address, limit, lt, hash, to_lt, archival } = request;
  const start = lt === undefined || hash === undefined ? {} : { start: { lt, hash } };
  return pages.page(address, { limit, aboveLt: to_lt, archival, ...start }, head);
};

/** The transaction that sent a message (D-19). A message from outside has no such transaction (D-18). */
const tryLocateSourceTx: Handler<"tryLocateSourceTx"> = (request, { located }, head) => {
  const { source, destination, created_lt } = request;
  if (source !== "") return located.find({ source, destination, createdLt: created_lt }, "sender", head);
  const reason = 'a message from outside the chain (source "") has no source transaction';
  throw new HttpError(404, `transaction was not found: ${reason}`, { reason: "message_unknown" });
};

/** The transaction that consumed a message (D-19). */
const tryLocateResultTx: Handler<"tryLocateResultTx"> = (request, { located }, head) => {
  const { source, destination, created_lt } = request;
  return located.find({ source, destination, createdLt: created_lt }, "receiver", head);
};

/** The handlers of all operations. A missing one does not compile. */
export const handlers: { readonly [Id in OperationId]: Handler<Id> } = {
  getAddressInformation,
  getConsensusBlock,
  getMasterchainInfo,
  getOutMsgQueueSize,
  getTransactionsStd,
  lookupBlock,
  tryLocateResultTx,
  tryLocateSourceTx,
};
