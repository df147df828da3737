/** Routes outside the contract, for clients that are made for other gateways of such networks (D-54). */
import { callPath, locatedForm, mergedInputs, readCall } from "@chain-query/openapi/json-rpc";
import { operations } from "@chain-query/openapi/operations";
import { convertInputs } from "@chain-query/openapi/requests";
import type { OperationId } from "@chain-query/types";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { HttpError, withoutKeys } from "../failure.ts";
import { type Answer, bodyOf, queryOf } from "./operations.ts";

/** Begins to read for a request whose operation its route does not name. */
export type BeginReads = (request: FastifyRequest, operation: OperationId) => void;

/** Registers the other of GET and POST for each path, and calls in the form of JSON-RPC. */
export function addCompatibility(app: FastifyInstance, answer: Answer, beginReads: BeginReads): void {
  for (const { id, method, path } of operations) {
    app.route({
      method: method === "GET" ? "POST" : "GET",
      url: path,
      config: { operation: id, isCompatible: true },
      handler: (request, reply) => answer(id, convertInputs(id, anyInputsOf(request)), request, reply),
    });
  }
  app.post(callPath, { config: { isCompatible: true } }, (request, reply) => {
    const call = readCall(request.body);
    request.call = call.envelope;
    if ("problem" in call) throw new HttpError(422, withoutKeys(call.problem), { input: call.input });
    const { operation, inputs, isList } = call;
    request.operation = operation;
    beginReads(request, operation);
    answer(operation, convertInputs(operation, inputs), request, reply, isList ? listOf : undefined);
  });
}

function anyInputsOf(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const query = queryOf(request);
  try {
    return mergedInputs(query, request.method === "POST" ? bodyOf(request) : undefined);
  } catch (error) {
    throw error instanceof RangeError ? new HttpError(422, error.message) : error;
  }
}

/** The transactions of a page, as clients of the older getTransactions read them. */
function listOf(page: string): string {
  return JSON.stringify(JSON.parse(page).transactions.map(locatedForm));
}
