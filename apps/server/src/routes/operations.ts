/** The routes of the contract, made from the bundle: one for each operation, with its handler, its check and its serialiser. */
import type { OutgoingHttpHeaders } from "node:http";
import type { Handlers, OperationId, RequestOf, ResultOf } from "@chain-query/types";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Operation, operations } from "../contract/bundle.ts";
import { exactNumbers, extraIn, inputCheck, withoutExtra } from "../contract/input.ts";
import { type Parts, type Success, successes } from "../contract/success.ts";
import type { Context } from "../handlers/context.ts";
import { type Answered, extraOf } from "./call.ts";
import { addPreflight } from "./cors.ts";

/** The content type of every answer of the contract. */
export const json = "application/json; charset=utf-8";

/** What the routes answer with. */
export interface OperationParts {
  readonly handlers: Handlers<Context>;
  readonly context: Context;
  /** The number of this process, which identifiers of requests tell. */
  readonly node: number;
  readonly answered: Answered;
}

/** Adds the routes. */
export function addOperations(app: FastifyInstance, parts: OperationParts): void {
  for (const operation of operations) addOperation(app, operation, parts);
}

function addOperation<Id extends OperationId>(
  app: FastifyInstance,
  operation: Operation<Id>,
  { handlers, context, node, answered }: OperationParts,
): void {
  const { id, method, path } = operation;
  const check = inputCheck(operation);
  const membersOf = method === "GET" ? queryOf : bodyOf;
  const handle: (request: RequestOf<Id>, context: Context) => ResultOf<Id> | Promise<ResultOf<Id>> = handlers[id];
  const write: Success<Id> = successes[id];
  app.route({
    method,
    url: path,
    config: { operation: id, exactNumbers: exactNumbers(operation.input) },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const result = await handle(check(membersOf(request)), context);
      const answer = write(result, extraOf(request, node));
      answered(request, 200);
      reply.header("content-type", json);
      if (typeof answer === "string") return answer;
      sendParts(reply, answer);
      return reply;
    },
  });
  addPreflight(app, path, methodsOf(operation));
}

/** The methods that the path of an operation takes. */
export function methodsOf({ method }: Operation): readonly string[] {
  return method === "GET" ? ["GET", "HEAD", "OPTIONS"] : ["POST", "OPTIONS"];
}

/** Sends parts as they lie: to put a long answer together costs more than all that came before. */
function sendParts(reply: FastifyReply, [before, result, after]: Parts): void {
  const length = before.length + result.length + Buffer.byteLength(after);
  reply.hijack();
  reply.raw.writeHead(200, { ...reply.getHeaders(), "content-length": length } as OutgoingHttpHeaders);
  reply.raw.write(before, "latin1");
  reply.raw.write(result);
  reply.raw.end(after);
}

function queryOf(request: FastifyRequest): unknown {
  const query = request.query as Record<string, unknown>;
  request.sentExtra = extraIn(query["@extra"]);
  return query;
}

/** A caller who sends the identifier in the query of a POST is understood as well. */
function bodyOf(request: FastifyRequest): unknown {
  const { members, extra } = withoutExtra(request.body);
  request.sentExtra = extraIn(extra ?? (request.query as Record<string, unknown>)["@extra"]);
  return members;
}
