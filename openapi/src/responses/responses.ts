/**
 * Responses to any request, from the chain of the contract's examples. The mock, the playground, the fakes and the MSW handlers use
 * them. Works in browsers.
 *
 * @example
 * ```ts
 * import { responseTo } from "@chain-query/openapi/responses";
 *
 * const { status, body } = responseTo("lookupBlock", { workchain: -1, shard: "-9223372036854775808", seqno: 841 });
 * // 404, { ok: false, error: "block was not found: seqno 841 is past the head, 840", code: 404, reason: "block_pending" }
 * ```
 *
 * @module
 */

import { type AccountId, toRawAddress } from "@chain-query/openapi/address";
import { type DocumentedExample, type Operation, type OperationId, operationsById } from "@chain-query/openapi/operations";
import type { RequestInputs } from "@chain-query/openapi/requests";
import { failure, findExample, type HttpResponse, type Inputs, parseExample, parseRequest, successes } from "./documented.ts";
import {
  endOfHistory,
  friendlyForm,
  historyOf,
  historyPage,
  type Message as ListedMessage,
  secondsOfBlock,
  type Transaction,
} from "./history.ts";
import { locatedForm } from "./json-rpc.ts";

export { findExample, type HttpResponse, type Inputs, type ParsedRequest, parseRequest } from "./documented.ts";

/**
 * Returns the documented response to a documented request, a 422 with the text of the service to an invalid request, and otherwise the
 * typical response of the operation with values from the request.
 *
 * @param sent - The parsed body of a POST, or the parameters of a GET as an object of texts.
 * @param headers - Keyed by lower-case name; some documented requests have a key.
 *
 * @example
 * ```ts
 * responseTo("getMasterchainInfo", {}).body["ok"]; // true
 * ```
 */
export function responseTo(
  operationId: OperationId,
  sent: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  const { inputs, problems, input, key } = parseRequest(operationId, sent);
  const documented = findExample(key, headers)?.response;
  const other = () => (problems.length > 0 ? invalid(problems, input) : typicalResponse(operationsById[operationId], inputs));
  return withExtra(extraOf(sent), documented ?? other());
}

/** The failure of an invalid request. */
export function invalid(problems: readonly string[], input?: string): HttpResponse {
  return failure(422, problems.join("; "), "invalid_input", input);
}

/** The `@extra` in a query or a body, which responses repeat (D-05). The schemas of requests do not declare it. */
export function extraOf(sent: unknown): string | undefined {
  const extra = typeof sent === "object" && sent !== null && "@extra" in sent ? sent["@extra"] : undefined;
  return typeof extra === "string" ? extra : undefined;
}

/** A response with the `@extra` of its request. */
export function withExtra<Any extends { readonly body: unknown }>(extra: string | undefined, response: Any): Any {
  if (extra === undefined || typeof response.body !== "object" || response.body === null) return response;
  return { ...response, body: { ...response.body, "@extra": extra } };
}

interface Message {
  source: string;
  destination: string;
  created_lt: string;
}

interface Located {
  address: object;
  transaction_id: { lt: string };
  in_msg?: Message;
  out_msgs: Message[];
}

/** Functions that copy inputs into the result of an example. */
type Adaptations = { readonly [Id in OperationId]?: (result: never, inputs: RequestInputs[Id]) => object };

/** Logical times are signed 64-bit integers. */
const maxLogicalTime = 2n ** 63n - 1n;

/** They copy only inputs that the contract allows the result to repeat. */
const adaptations: Adaptations = {
  lookupBlock: (result: object, { workchain, shard, seqno }) => ({
    ...result,
    workchain,
    shard: String(shard),
    ...(seqno === undefined ? {} : { seqno }),
  }),
  getAddressInformation: (result: { block_id: object }, { address, seqno = masterchainHead }) => {
    const history = historyOf(address).filter(({ transaction_id: { lt } }) => BigInt(lt) < startOf(seqno + 1));
    // It has its code from the first transaction that sends something.
    const isDeployed = history.some(({ out_msgs }) => out_msgs.length > 0);
    return {
      ...result,
      ...resultOf<object>("getAddressInformation", isDeployed ? "active" : "as-of-block"),
      balance: String(history.reduce((sum, transaction) => sum + changeOf(transaction), 0n)),
      extra_currencies: history.flatMap(({ in_msg }) => in_msg?.extra_currencies ?? []),
      last_transaction_id: history[0]?.transaction_id ?? endOfHistory,
      block_id: { ...result.block_id, seqno },
      sync_utime: headTime - (masterchainHead - seqno) * secondsOfBlock,
    };
  },
  getTransactionsStd: historyPage,
  tryLocateResultTx: (result: Located, inputs) => {
    const listed = historyOf(inputs.destination).find(({ in_msg }) => in_msg !== undefined && isMessage(in_msg, inputs));
    if (listed !== undefined) return locatedForm(listed);
    const { in_msg, transaction_id } = result;
    const delay = BigInt(transaction_id.lt) - BigInt(in_msg?.created_lt ?? 0);
    const lt = inputs.created_lt + delay;
    const moved = moveTo(result, inputs.destination, lt < maxLogicalTime ? lt : maxLogicalTime);
    return in_msg === undefined ? moved : { ...moved, in_msg: { ...in_msg, ...messageFields(inputs) } };
  },
  tryLocateSourceTx: (result: Located, inputs) => {
    // `requiredFailure` answers an empty source.
    if (inputs.source === "") return result;
    const listed = historyOf(inputs.source).find(({ out_msgs }) => out_msgs.some((message) => isMessage(message, inputs)));
    if (listed !== undefined) return locatedForm(listed);
    const moved = moveTo(result, inputs.source, inputs.created_lt - 1n);
    const [sent, ...others] = moved.out_msgs;
    const in_msg = moved.in_msg === undefined ? {} : { in_msg: { ...moved.in_msg, destination: friendlyForm(inputs.source) } };
    return { ...moved, ...in_msg, out_msgs: [{ ...sent, ...messageFields(inputs) }, ...others] };
  },
};

/** What a transaction changed of the balance of its account. */
function changeOf({ in_msg, out_msgs, fee }: Transaction): bigint {
  const sent = out_msgs.reduce((sum, { value }) => sum + BigInt(value), 0n);
  return BigInt(in_msg?.value ?? 0) - sent - BigInt(fee);
}

function isMessage(message: ListedMessage, { source, destination, created_lt }: RequestInputs["tryLocateSourceTx"]): boolean {
  return (
    message.created_lt === String(created_lt) &&
    message.destination.account_address === friendlyForm(destination) &&
    message.source.account_address === (source === "" ? "" : friendlyForm(source))
  );
}

/** The failure of a request that the chain of the examples cannot answer with a success. */
function requiredFailure(operation: Operation, inputs: Inputs): HttpResponse | undefined {
  const past = pastHead(operation.id, inputs);
  if (past !== undefined) return failure(404, `block was not found: ${past}`, "block_pending");
  if (operation.id !== "tryLocateSourceTx") return undefined;
  const { source, created_lt } = inputs as unknown as RequestInputs["tryLocateSourceTx"];
  if (source === "") return operation.examples.find(({ condition }) => condition === "external-message")?.response;
  // created_lt is the transaction's lt + 1 + i, and no transaction has lt 0.
  return created_lt < 2n
    ? failure(404, "transaction was not found: the source account sent no such message", "message_unknown")
    : undefined;
}

/**
 * The operation's typical response to a valid request: the example of a request with the same members, or else the first one, with the
 * inputs that the contract allows the response to repeat.
 */
export function typicalResponse(operation: Operation, inputs: Inputs): HttpResponse {
  const failed = requiredFailure(operation, inputs);
  if (failed !== undefined) return failed;
  const all = successes(operation);
  const example = all.find((one) => hasSameNames(parseExample(one).inputs, inputs)) ?? all[0];
  if (example === undefined) throw new Error(`the contract has no example of ${operation.id}`);
  const { status, body } = example.response;
  const adapt = adaptations[operation.id] as ((result: unknown, inputs: Inputs) => object) | undefined;
  return { status, body: adapt === undefined ? body : { ...body, result: adapt(body["result"], inputs) } };
}

function hasSameNames(one: Inputs, other: Inputs): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => name in other);
}

/** Moves a transaction to another account and another time. */
function moveTo({ out_msgs, ...result }: Located, owner: AccountId, lt: bigint): Located & { account: string } {
  const source = friendlyForm(owner);
  return {
    ...result,
    address: { ...result.address, account_address: source },
    account: toRawAddress(owner),
    transaction_id: { ...result.transaction_id, lt: String(lt) },
    out_msgs: out_msgs.map((message, index) => ({ ...message, source, created_lt: String(lt + 1n + BigInt(index)) })),
  };
}

function messageFields({ source, destination, created_lt }: RequestInputs["tryLocateSourceTx"]): Message {
  const sender = source === "" ? "" : friendlyForm(source);
  return { source: sender, destination: friendlyForm(destination), created_lt: String(created_lt) };
}

interface BlockId {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
}

const masterchainHead = resultOf<{ last: BlockId }>("getMasterchainInfo", "head").last.seqno;
const headTime = resultOf<{ timestamp: number }>("getConsensusBlock", "current").timestamp;
/** The latest block of each shard, at the head. */
const heads = resultOf<{ shards: { id: BlockId }[] }>("getOutMsgQueueSize", "backlog").shards.map(({ id }) => id);
const startOfNext = startOf(masterchainHead + 1);

/** Why the head is not reached yet by a request, such as `seqno 841 is past the head, 840`; undefined if it is. */
function pastHead(operationId: OperationId, inputs: Inputs): string | undefined {
  if (operationId === "getAddressInformation") {
    const { seqno } = inputs as RequestInputs["getAddressInformation"];
    return seqno !== undefined && seqno > masterchainHead ? `seqno ${seqno} is past the head, ${masterchainHead}` : undefined;
  }
  if (operationId !== "lookupBlock") return undefined;
  const { workchain, shard, seqno, lt, unixtime } = inputs as RequestInputs["lookupBlock"];
  const known = heads.find((id) => id.workchain === workchain && id.shard === String(shard));
  const head = known?.seqno ?? masterchainHead;
  if (seqno !== undefined) return seqno > head ? `seqno ${seqno} is past the head, ${head}` : undefined;
  if (lt !== undefined) return lt >= startOfNext ? `lt ${lt} is past the head, ${head}` : undefined;
  return unixtime !== undefined && unixtime > headTime ? `unixtime ${unixtime} is past the head, ${head}` : undefined;
}

/** The first logical time of the block of any shard with a seqno. */
function startOf(seqno: number): bigint {
  const then = resultOf<{ block_id: BlockId; last_transaction_id: { lt: string } }>("getAddressInformation", "as-of-block");
  const found = resultOf<BlockId>("lookupBlock", "by-lt");
  const lt = BigInt(String(exampleOf("lookupBlock", "by-lt").request.body?.["lt"]));
  const pace = (lt - BigInt(then.last_transaction_id.lt)) / BigInt(found.seqno - then.block_id.seqno);
  // The first transaction of a block has its first logical time plus 1.
  return lt - 1n + pace * BigInt(seqno - found.seqno);
}

function exampleOf(operationId: OperationId, condition: string): DocumentedExample {
  const found = operationsById[operationId].examples.find((one) => one.condition === condition);
  if (found === undefined) throw new Error(`the contract has no example ${operationId}.${condition}`);
  return found;
}

function resultOf<Result>(operationId: OperationId, condition: string): Result {
  return exampleOf(operationId, condition).response.body["result"] as Result;
}
