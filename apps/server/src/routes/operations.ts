/** Registers the routes of the contract's operations. */
import type { OutgoingHttpHeaders } from "node:http";
import type { OperationId } from "@chain-query/types";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Encoded, encode } from "../answers/encoded.ts";
import { type Operation, operations } from "../contract/bundle.ts";
import { exactNumbers, extraIn, inputCheck, withoutExtra } from "../contract/input.ts";
import type { Context } from "../handlers/context.ts";
import { type Handler, handlers } from "../handlers/handlers.ts";
import { type Answered, addOptions, extraOf, json } from "./request.ts";

/** What the routes need. */
export interface OperationOptions {
  readonly context: Context;
  /** The number of this process, part of the identifiers of requests. */
  readonly node: number;
  readonly answered: Answered;
}

/** Registers all operations. */
export function addOperations(app: FastifyInstance, options: OperationOptions): void {
  for (const operation of operations) addOperation(app, operation, options);
}

/** The methods of an operation's path. */
export function methodsOf({ method }: Operation): readonly string[] {
  return method === "GET" ? ["GET", "HEAD", "OPTIONS"] : ["POST", "OPTIONS"];
}

function addOperation<Id extends OperationId>(
  app: FastifyInstance,
  operation: Operation<Id>,
  { context, node, answered }: OperationOptions,
): void {
  const { id, method, path } = operation;
  const check = inputCheck(operation);
  const membersOf = method === "GET" ? queryOf : bodyOf;
  const handle: Handler<Id> = handlers[id];
  app.route({
    method,
    url: path,
    config: { operation: id, exactNumbers: exactNumbers(operation.input) },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const result = await handle(check(membersOf(request)), context);
      const resultJson = result instanceof Encoded ? result.json : encode(id, result);
      const end = `,"@extra":${JSON.stringify(extraOf(request, node))}}`;
      answered(request, 200);
      reply.header("content-type", json);
      if (typeof resultJson === "string") return start + resultJson + end;
      sendUncopied(reply, resultJson, end);
      return reply;
    },
  });
  addOptions(app, path, methodsOf(operation));
}

const start = '{"ok":true,"result":';

/** Writes the parts of an answer one after another: concatenating a long one costs more than all that came before. */
function sendUncopied(reply: FastifyReply, result: Buffer, end: string): void {
  const length = start.length + result.length + Buffer.byteLength(end);
  reply.hijack();
  reply.raw.writeHead(200, { ...reply.getHeaders(), "content-length": length } as OutgoingHttpHeaders);
  reply.raw.write(start, "latin1");
  reply.raw.write(result);
  reply.raw.end(end);
}

function queryOf(request: FastifyRequest): unknown {
  const query = request.query as Record<string, unknown>;
  request.sentExtra = extraIn(query["@extra"]);
  return query;
}

/** The identifier of a POST may also be in its query. */
function bodyOf(request: FastifyRequest): unknown {
  const { members, extra } = withoutExtra(request.body);
  request.sentExtra = extraIn(extra ?? (request.query as Record<string, unknown>)["@extra"]);
  return members;
}
