/** Answers requests of clients that are made for other gateways, outside the contract (D-54), as the service does. */
import { callPath, compatibleMethods, contractPath, locatedForm, mergedInputs, readCall } from "@chain-query/openapi/json-rpc";
import contract from "@chain-query/openapi/openapi.json" with { type: "json" };
import { type Operation, operationsById } from "@chain-query/openapi/operations";
import { convertInputs, reasonOf } from "@chain-query/openapi/requests";
import {
  type ApiRequest,
  type ApiResponse,
  failure,
  methodsOf,
  operationsOf,
  type Responder,
  wrongMethod,
} from "./responses/exchange.ts";

/** Lets a responder, which knows the contract, answer calls of JSON-RPC, the other of GET and POST, and keys in URLs. */
export function withCompatibility(respond: Responder): Responder {
  return async (sent) => {
    const request = withKeyOfUrl(sent);
    const { method, path, error } = request;
    if (path === contractPath && (method === "GET" || method === "HEAD"))
      return { status: 200, headers: {}, body: contract, constant: true };
    const methods = compatibleMethods.get(path);
    if (error !== undefined || methods === undefined || methodsOf(path).includes(method)) return respond(request);
    if (!methods.includes(method)) return wrongMethod(method, methods);
    if (path === callPath) return respondToCall(request, respond);
    const [operation] = operationsOf(path);
    if (operation === undefined) return respond(request);
    try {
      return await respond(inContractForm(request, operation, mergedInputs(request.query, request.body)));
    } catch (error) {
      if (error instanceof RangeError) return failure(422, error.message);
      throw error;
    }
  };
}

async function respondToCall(request: ApiRequest, respond: Responder): Promise<ApiResponse> {
  const call = readCall(request.body);
  if ("problem" in call) {
    const { problem: error, input } = call;
    const body = { ok: false, error, code: 422, reason: reasonOf(422), ...(input && { input }), ...call.envelope };
    return { status: 422, headers: {}, body };
  }
  const operation = operationsById[call.operation];
  const { constant: _, ...response } = await respond(inContractForm(request, operation, call.inputs));
  const body = Object(response.body);
  const isList = call.isList && body.ok === true;
  const result = isList ? { result: body.result.transactions.map(locatedForm) } : {};
  return { ...response, body: { ...body, ...result, ...call.envelope } };
}

/** The request of an operation as the contract has it. */
function inContractForm(
  request: ApiRequest,
  { id, method, path }: Operation,
  sent: Readonly<Record<string, unknown>>,
): ApiRequest {
  const inputs = convertInputs(id, sent);
  const { query, ...rest } = { ...request, method, path, isCompatible: true };
  if (method === "POST") return { ...rest, query, body: inputs };
  const texts = Object.entries(inputs).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const extra = query["@extra"];
  return { ...rest, query: { ...Object.fromEntries(texts), ...(extra !== undefined && { "@extra": extra }) } };
}

/** A key in the URL is as one in the header, which comes first. */
function withKeyOfUrl(request: ApiRequest): ApiRequest {
  const { api_key: key, ...query } = request.query;
  if (key === undefined) return request;
  return { ...request, query, isCompatible: true, headers: { "x-api-key": String(key), ...request.headers } };
}
