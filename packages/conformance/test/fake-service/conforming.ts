/** A service over the small chain that keeps every rule. Faulty services replace one of its parts. */
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { type OperationId, operationsById } from "@chain-query/openapi/operations";
import { checkRequest } from "@chain-query/openapi/requests";
import { isObject } from "../../src/json.ts";
import {
  type BlockId,
  blockAt,
  exampleResult,
  historyOf,
  init,
  last,
  type Message,
  masterchain,
  noTransaction,
  rawOf,
  shardFor,
  shards,
  stateRootHash,
  stepAt,
  stepEndingAt,
  stepOf,
  timeOf,
  transactions,
  type WireTransaction,
} from "./chain.ts";

export interface Call {
  operation: string;
  method: string;
  path: string;
  input: Record<string, unknown>;
  headers: Record<string, string | undefined>;
}

export interface Reply {
  /** 0 closes the connection instead of a response. */
  status: number;
  contentType: string;
  headers: Record<string, string>;
  /** A string is sent unchanged, anything else as JSON. */
  body: unknown;
}

export interface Service {
  /** The problem of a request; undefined if it is valid. */
  problemIn(call: Call): string | undefined;
  handlers: Record<string, (input: Record<string, unknown>) => unknown>;
  /** Changes the reply before it is sent. */
  finish(reply: Reply, call: Call): Reply | Promise<Reply>;
  /** Whether a request without a key is over its limit. */
  isOverLimit(call: Call): boolean;
}

/** Thrown to answer with a failure. */
export class HttpError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function conformingService(): Service {
  return {
    problemIn,
    handlers: {
      getAddressInformation: ({ address, seqno }) =>
        accountState(rawOf(String(address)), seqno === undefined ? undefined : Number(seqno)),
      getConsensusBlock: () => ({
        "@type": "ext.blocks.consensusBlock",
        consensus_block: last.seqno,
        timestamp: timeOf(last.seqno),
      }),
      getMasterchainInfo: () => ({ "@type": "blocks.masterchainInfo", last, state_root_hash: stateRootHash, init }),
      getOutMsgQueueSize: () => ({
        "@type": "blocks.outMsgQueueSizes",
        shards: shards.map((shard) => ({ "@type": "blocks.outMsgQueueSize", id: blockAt(last.seqno, shard), size: 0 })),
        ext_msg_queue_size_limit: 8000,
      }),
      getTransactionsStd: page,
      lookupBlock,
      tryLocateResultTx: (input) => located(input, ({ in_msg }, isIt) => in_msg !== undefined && isIt(in_msg)),
      tryLocateSourceTx: (input) => located(input, ({ out_msgs }, isIt) => input["source"] !== "" && out_msgs.some(isIt)),
    },
    finish: (reply) => reply,
    isOverLimit: () => false,
  };
}

export function accountState(account: string, seqno: number = last.seqno): unknown {
  if (seqno > last.seqno) throw new HttpError(404, `block ${seqno} is past the head, ${last.seqno}`);
  const newest = historyOf(account).find(({ transaction_id }) => stepOf(BigInt(transaction_id.lt)) <= seqno);
  const known = newest === historyOf(account)[0] ? states.get(account) : undefined;
  return {
    "@type": "raw.fullAccountState",
    balance: newest === undefined ? "0" : "1000",
    extra_currencies: [],
    code: "",
    data: "",
    frozen_hash: "",
    state: "uninitialized",
    ...known,
    last_transaction_id: newest?.transaction_id ?? noTransaction,
    block_id: blockAt(seqno, masterchain),
    sync_utime: timeOf(seqno),
  };
}

export function lookupBlock({ workchain, shard, seqno, lt, unixtime }: Record<string, unknown>): BlockId {
  const found = shardFor(Number(workchain), String(shard));
  if (found === undefined) throw new HttpError(404, "block was not found: there is no such shard");
  const step =
    seqno !== undefined ? Number(seqno) : lt !== undefined ? stepEndingAt(BigInt(String(lt)), found) : stepAt(Number(unixtime));
  if (step > last.seqno || step < 1) throw new HttpError(404, `block was not found: the head is ${last.seqno}`);
  return blockAt(step, found);
}

export function page({ address, limit = 10, lt, hash, to_lt = "0" }: Record<string, unknown>): unknown {
  const history = historyOf(rawOf(String(address)));
  const start = lt === undefined ? 0 : history.findIndex(({ transaction_id }) => isAt(transaction_id, lt, hash));
  if (start < 0) throw new HttpError(500, `lt ${lt} is not in this node's history, use archival=true to reach it`);
  const above = history.slice(start).filter(({ transaction_id }) => BigInt(transaction_id.lt) > BigInt(String(to_lt)));
  const taken = above.slice(0, Number(limit));
  const next = history[start + taken.length];
  return {
    "@type": "raw.transactions",
    transactions: taken.map(listed),
    previous_transaction_id: next === undefined || taken.length === 0 ? noTransaction : next.transaction_id,
  };
}

function isAt(id: WireTransaction["transaction_id"], lt: unknown, hash: unknown): boolean {
  const text = String(hash);
  return id.lt === String(lt) && Buffer.from(text, text.length === 64 ? "hex" : "base64url").toString("base64") === id.hash;
}

function located(
  { source, destination, created_lt }: Record<string, unknown>,
  holds: (transaction: WireTransaction, isIt: (message: Message) => boolean) => boolean,
): WireTransaction {
  const key = [rawOf(String(source)), rawOf(String(destination)), created_lt].join(" ");
  const isIt = (message: Message): boolean =>
    [rawOf(message.source), rawOf(message.destination), message.created_lt].join(" ") === key;
  const found = transactions.find((transaction) => holds(transaction, isIt));
  if (found === undefined) throw new HttpError(404, "transaction was not found: the source account sent no such message");
  return found;
}

/** A transaction in the form in which it is listed. */
function listed({ account: _, in_msg, out_msgs, ...rest }: WireTransaction): unknown {
  const end = (account_address: string): unknown => ({ "@type": "accountAddress", account_address });
  const plain = ({ message: _, source, destination, ...message }: Message): unknown => ({
    ...message,
    "@type": "raw.message",
    source: end(source),
    destination: end(destination),
  });
  return {
    ...rest,
    "@type": "raw.transaction",
    ...(in_msg === undefined ? {} : { in_msg: plain(in_msg) }),
    out_msgs: out_msgs.map(plain),
  };
}

/** The account states of the examples, by account. */
const states: ReadonlyMap<string, object> = new Map(
  examples
    .filter(({ operationId, response }) => operationId === "getAddressInformation" && response.status === 200)
    .filter(({ condition }) => condition !== "as-of-block")
    .map(({ request, condition }) => [
      rawOf(String(isObject(request.body) ? request.body["address"] : "")),
      exampleResult("getAddressInformation", condition),
    ]),
);

function problemIn({ operation, input }: Call): string | undefined {
  if (!isOperationId(operation)) return undefined;
  const checked = checkRequest(operation, input);
  return checked.ok ? undefined : checked.problems.join("; ");
}

function isOperationId(operation: string): operation is OperationId {
  return operation in operationsById;
}
