/** Answers requests of clients that are made for other gateways, outside the contract (D-54), as the service does. */
import {
  type CallEnvelope,
  callPath,
  compatibleMethods,
  contractPath,
  locatedForm,
  mergedInputs,
  readCall,
} from "@chain-query/openapi/json-rpc";
import contract from "@chain-query/openapi/openapi.json" with { type: "json" };
import { type Operation, operationsById } from "@chain-query/openapi/operations";
import { convertInputs, type Place } from "@chain-query/openapi/requests";
import {
  type ApiRequest,
  type ApiResponse,
  methodsOf,
  operationsOf,
  RequestError,
  type Responder,
  wrongMethod,
} from "./responses/exchange.ts";

/** Lets a responder, which knows the contract, answer calls of JSON-RPC, POST for GET, GET for POST, and keys in URLs. */
export function withCompatibility(respond: Responder): Responder {
  return async (sent) => {
    const request = withKeyOfUrl(sent);
    const { method, path, query, body, error } = request;
    const methods = compatibleMethods.get(path);
    if (methods?.includes(method) === false) {
      return respond({ ...request, error: wrongMethod(method, methods) });
    }
    if (path === callPath) return respondToCall(request, respond);
    const [operation] = operationsOf(path);
    if (operation === undefined || methodsOf(path).includes(method)) return respond(request);
    const place = method === "POST" ? "body" : "query";
    if (error !== undefined) return respond(refused(request, error, place));
    try {
      return await respond(inContractForm(request, operation, mergedInputs(query, body), place));
    } catch (problem) {
      if (problem instanceof RangeError) return respond(refused(request, new RequestError(422, problem.message), place));
      throw problem;
    }
  };
}

/** Adds the contract, where programs of this API look for it. */
export function withContract(respond: Responder): Responder {
  return async (request) => {
    const isRead = request.path === contractPath && (request.method === "GET" || request.method === "HEAD");
    return isRead ? { status: 200, headers: {}, body: contract, constant: true } : respond(request);
  };
}

async function respondToCall(request: ApiRequest, respond: Responder): Promise<ApiResponse> {
  if (request.error !== undefined)
    return withEnvelope(await respond(refused(request, request.error, "params")), { jsonrpc: "2.0", id: null });
  const call = readCall(request.body);
  if ("problem" in call) {
    const error = new RequestError(422, call.problem, {}, call.input);
    return withEnvelope(await respond(refused(request, error, "params")), call.envelope);
  }
  const response = await respond(inContractForm(request, operationsById[call.operation], call.inputs, "params"));
  const { transactions } = Object(Object(response.body).result);
  const list = call.isList && Array.isArray(transactions) ? { result: transactions.map(locatedForm) } : {};
  return withEnvelope(response, call.envelope, list);
}

function withEnvelope({ constant: _, ...response }: ApiResponse, envelope: CallEnvelope, members: object = {}): ApiResponse {
  return response.status === 0 ? response : { ...response, body: { ...Object(response.body), ...members, ...envelope } };
}

function refused(request: ApiRequest, error: RequestError, place: Place): ApiRequest {
  return { ...request, error, converted: { inputs: {}, place } };
}

/** The request of an operation as the contract has it. */
function inContractForm(
  request: ApiRequest,
  { id, method, path }: Operation,
  sent: Readonly<Record<string, unknown>>,
  place: Place,
): ApiRequest {
  const extra = Object(request.body)["@extra"] ?? request.query["@extra"];
  const inputs = { ...convertInputs(id, sent), ...(extra !== undefined && { "@extra": extra }) };
  return { ...request, method, path, converted: { inputs, place } };
}

/** A key in the URL is as one in the header, which comes first. */
function withKeyOfUrl(request: ApiRequest): ApiRequest {
  const { api_key: key } = request.query;
  return key ? { ...request, headers: { "x-api-key": String(key), ...request.headers } } : request;
}
