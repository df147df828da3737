/**
 * Calls in the form of JSON-RPC 2.0, which clients of such gateways send to one path. Outside the contract (D-54). Works in browsers.
 *
 * @example
 * ```ts
 * import { readCall } from "@chain-query/openapi/json-rpc";
 *
 * const call = readCall({ jsonrpc: "2.0", id: "1", method: "getMasterchainInfo", params: {} });
 * if ("problem" in call) refuse(422, call.problem);
 * else answer(call.operation, call.inputs); // "getMasterchainInfo", {}
 * ```
 *
 * @module
 */
import { isAddress, toRawAddress } from "@chain-query/openapi/address";
import { type OperationId, operations, operationsById } from "@chain-query/openapi/operations";

/** The path that takes calls. */
export const callPath = "/api/v2/jsonRPC";

/** The path of the contract beside the operations, where programs of this API look for it. */
export const contractPath = "/api/v2/openapi.json";

/** The methods of each path, for other clients too: an operation accepts POST for GET, and GET for POST. */
export const compatibleMethods: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...operations.map(({ path }): [string, string[]] => [path, ["GET", "HEAD", "POST", "OPTIONS"]]),
  [callPath, ["POST", "OPTIONS"]],
]);

/** The members of a call that its response returns. */
export interface CallEnvelope {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
}

/** A call of an operation. */
export interface Call {
  readonly envelope: CallEnvelope;
  readonly operation: OperationId;
  /** As sent. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Whether the result is the page's list of transactions, each in {@link locatedForm}. */
  readonly isList: boolean;
}

/** Why a call is refused. */
export interface RefusedCall {
  readonly envelope: CallEnvelope;
  readonly problem: string;
  /** The member that is wrong. */
  readonly input?: string;
}

/** The older name of getTransactionsStd, whose result is a list. */
const listMethod = "getTransactions";

/** Reads a call. A method is the name of an operation, or `getTransactions`. */
export function readCall(body: unknown): Call | RefusedCall {
  const members = membersOf(body);
  const { id } = members ?? {};
  const envelope = { jsonrpc: "2.0", id: typeof id === "string" || typeof id === "number" ? id : null } as const;
  if (members === undefined) {
    const kind = body === undefined ? "nothing" : body === null ? "null" : `a ${typeof body}`;
    const got = Array.isArray(body) ? "a list; several calls in one request are not supported" : kind;
    return {
      envelope,
      problem: `body: expected one call such as {"jsonrpc":"2.0","id":"1","method":"getMasterchainInfo","params":{}}, got ${got}`,
    };
  }
  const { method, params } = members;
  const isList = method === listMethod;
  const operation = isList ? "getTransactionsStd" : method;
  if (!isOperation(operation)) {
    const names = [...Object.keys(operationsById), listMethod].join(", ");
    return { envelope, problem: `method: expected one of ${names}`, input: "method" };
  }
  const inputs = membersOf(params ?? {});
  if (inputs === undefined) return { envelope, problem: "params: expected an object of inputs by name", input: "params" };
  return { envelope, operation, inputs, isList };
}

/**
 * The inputs of a request with the other method: those of its query, and over them those of its body, if it has one.
 *
 * @throws RangeError if the body is not an object.
 */
export function mergedInputs(query: Readonly<Record<string, unknown>>, body: unknown): Readonly<Record<string, unknown>> {
  const members = membersOf(body ?? {});
  if (members === undefined) throw new RangeError("body: expected a JSON object of inputs by name");
  return { ...query, ...members };
}

function isOperation(name: unknown): name is OperationId {
  return typeof name === "string" && Object.hasOwn(operationsById, name);
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

/** A message as getTransactionsStd shows it. */
interface ListedMessage {
  readonly source: { readonly account_address: string };
  readonly destination: { readonly account_address: string };
  readonly msg_data: { readonly "@type": string; readonly text?: string };
}

/** A transaction as getTransactionsStd shows it. */
interface ListedTransaction {
  readonly address: { readonly account_address: string };
  readonly in_msg?: ListedMessage;
  readonly out_msgs: readonly ListedMessage[];
}

/**
 * A transaction of getTransactionsStd in the form of the operations that locate one. A comment that is not UTF-8 is a raw body without
 * `message_decode_error`: a page does not tell such bodies from others.
 */
export function locatedForm({ in_msg: inMessage, out_msgs: outMessages, ...rest }: ListedTransaction): object {
  return {
    ...rest,
    "@type": "ext.transaction",
    account: rawForm(rest.address.account_address),
    ...(inMessage === undefined ? {} : { in_msg: locatedMessage(inMessage) }),
    out_msgs: outMessages.map(locatedMessage),
  };
}

function locatedMessage({ source, destination, ...rest }: ListedMessage): object {
  const { "@type": type, text = "" } = rest.msg_data;
  const comment = type === "msg.dataText" ? textOf(text) : undefined;
  return {
    ...rest,
    "@type": "ext.message",
    source: source.account_address,
    destination: destination.account_address,
    ...(comment === undefined ? {} : { message: comment }),
  };
}

/** A mock may generate texts that are no addresses. */
function rawForm(address: string): string {
  return isAddress(address) ? toRawAddress(address) : address;
}

/** The escapes of all bytes are those of their UTF-8. */
function textOf(base64: string): string | undefined {
  try {
    const escaped = Array.from(atob(base64), (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
    return decodeURIComponent(escaped.join(""));
  } catch {
    return undefined;
  }
}

/** Node.js and browsers have this function. */
declare const atob: (base64: string) => string;
