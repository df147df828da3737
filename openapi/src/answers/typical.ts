/** The typical answer of an operation: an example that repeats the inputs of the request. */

import { type AccountId, toRawAddress } from "@chain-query/openapi/address";
import type { Operation, OperationId } from "@chain-query/openapi/operations";
import type { RequestInputs } from "@chain-query/openapi/requests";
import { type Answer, failure, type Inputs, parseExample, successes } from "./documented.ts";
import { pastHead } from "./head.ts";
import { friendlyForm, historyPage } from "./history.ts";

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
  getAddressInformation: (result: { block_id: object }, { seqno }) => ({
    ...result,
    block_id: { ...result.block_id, ...(seqno === undefined ? {} : { seqno }) },
  }),
  getTransactionsStd: historyPage,
  tryLocateResultTx: (result: Located, inputs) => {
    const { in_msg, transaction_id } = result;
    const delay = BigInt(transaction_id.lt) - BigInt(in_msg?.created_lt ?? 0);
    const lt = inputs.created_lt + delay;
    const moved = moveTo(result, inputs.destination, lt < maxLogicalTime ? lt : maxLogicalTime);
    return in_msg === undefined ? moved : { ...moved, in_msg: { ...in_msg, ...messageFields(inputs) } };
  },
  tryLocateSourceTx: (result: Located, inputs) => {
    // `requiredFailure` answers an empty source.
    if (inputs.source === "") return result;
    const moved = moveTo(result, inputs.source, inputs.created_lt - 1n);
    const [sent, ...others] = moved.out_msgs;
    const in_msg = moved.in_msg === undefined ? {} : { in_msg: { ...moved.in_msg, destination: friendlyForm(inputs.source) } };
    return { ...moved, ...in_msg, out_msgs: [{ ...sent, ...messageFields(inputs) }, ...others] };
  },
};

/** The failure of a request that the chain of the examples cannot answer with a success. */
function requiredFailure(operation: Operation, inputs: Inputs): Answer | undefined {
  const past = pastHead(operation.id, inputs);
  if (past !== undefined) return failure(404, `block was not found: ${past}`);
  if (operation.id !== "tryLocateSourceTx") return undefined;
  const { source, created_lt } = inputs as unknown as RequestInputs["tryLocateSourceTx"];
  if (source === "") return operation.examples.find(({ condition }) => condition === "external-message")?.response;
  // created_lt is the transaction's lt + 1 + i, and no transaction has lt 0.
  return created_lt < 2n ? failure(404, "transaction was not found: the source account sent no such message") : undefined;
}

/**
 * The operation's typical answer to a valid request: the example of a request with the same members, or else the first one, with the
 * inputs that the contract allows the answer to repeat.
 */
export function typicalAnswer(operation: Operation, inputs: Inputs): Answer {
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
