/** Routes outside the contract, for clients that are made for other gateways of such networks (D-54). */
import { callPath, locatedForm, mergedInputs, readCall } from "@chain-query/openapi/json-rpc";
import { operations } from "@chain-query/openapi/operations";
import { convertInputs } from "@chain-query/openapi/requests";
import type { OperationId } from "@chain-query/types";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { HttpError } from "../failure.ts";
import { type Answer, bodyOf, queryOf } from "./operations.ts";

/** Begins the reads of a call, whose operation is in its body. */
export type BeginReads = (request: FastifyRequest, operation: OperationId) => void;

/** Registers the other method of each path, POST for GET and GET for POST, and calls in the form of JSON-RPC. */
export function addCompatibility(app: FastifyInstance, answer: Answer, beginReads: BeginReads): void {
  for (const { id, method, path } of operations) {
    app.route({
      method: method === "GET" ? "POST" : "GET",
      url: path,
      config: { operation: id, isCompatible: true },
      handler: (request, reply) => {
        const place = request.method === "POST" ? "body" : "query";
        answer(id, convertInputs(id, anyInputsOf(request)), request, reply, { place });
      },
    });
  }
  app.post(callPath, { config: { isCompatible: true } }, (request, reply) => {
    const call = readCall(bodyOf(request));
    request.call = call.envelope;
    if ("problem" in call) throw new HttpError(422, call.problem, { input: call.input });
    const { operation, inputs, isList } = call;
    request.operation = operation;
    beginReads(request, operation);
    const form = { place: "params", ...(isList && { change: listOf }) } as const;
    answer(operation, convertInputs(operation, inputs), request, reply, form);
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
