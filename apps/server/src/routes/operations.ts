/** Registers the routes of the contract's operations. */
import type { OutgoingHttpHeaders } from "node:http";
import { type Operation, operations } from "@chain-query/openapi/operations";
import { checkRequest, type RequestInputs } from "@chain-query/openapi/requests";
import type { OperationId } from "@chain-query/types";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { HttpError, withoutKeys } from "../failure.ts";
import { type Context, type Handler, handlers } from "../handlers.ts";
import { Encoded, encode } from "../results/encoded.ts";
import { type Answered, addOptions, extraOf, responseHeaders } from "./request.ts";

/** Options of {@link addOperations}. */
interface OperationOptions {
  readonly context: Context;
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
  { context, answered }: OperationOptions,
): void {
  const { id, method, path } = operation;
  const sent = method === "GET" ? queryOf : bodyOf;
  const handle: Handler<Id> = handlers[id];
  app.route({
    method,
    url: path,
    config: { operation: id },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const { deadline } = request;
      deadline.signal.throwIfAborted();
      const result = await deadline.limit(handle(inputsOf(id, sent(request)), context, deadline.signal));
      const resultJson = result instanceof Encoded ? result.json : encode(id, result);
      const end = `,"@extra":${JSON.stringify(extraOf(request))}}`;
      answered(request, 200);
      reply.headers(responseHeaders);
      if (typeof resultJson === "string") return start + resultJson + end;
      sendUncopied(reply, resultJson, end);
      return reply;
    },
  });
  addOptions(app, path, methodsOf(operation));
}

const start = '{"ok":true,"result":';

/** Writes the parts of a response one after another: concatenating a long one costs more than all steps before. */
function sendUncopied(reply: FastifyReply, result: Buffer, end: string): void {
  const length = start.length + result.length + Buffer.byteLength(end);
  reply.hijack();
  reply.raw.writeHead(200, { ...reply.getHeaders(), "content-length": length } as OutgoingHttpHeaders);
  reply.raw.write(start, "latin1");
  reply.raw.write(result);
  reply.raw.end(end);
}

function inputsOf<Id extends OperationId>(id: Id, sent: unknown): RequestInputs[Id] {
  const checked = checkRequest(id, sent);
  if (checked.ok) return checked.inputs;
  // A caller may have sent an API key in the wrong place.
  throw new HttpError(422, withoutKeys(checked.problems.join("; ")));
}

function queryOf(request: FastifyRequest): unknown {
  const query = request.query as Readonly<Record<string, unknown>>;
  request.sentExtra = extraIn(query["@extra"]);
  return query;
}

/** The identifier of a POST may be in its body or in its query (D-05). */
function bodyOf(request: FastifyRequest): unknown {
  const { body, query } = request;
  const fromBody: unknown = typeof body === "object" && body !== null && "@extra" in body ? body["@extra"] : undefined;
  request.sentExtra = extraIn(fromBody ?? (query as Readonly<Record<string, unknown>>)["@extra"]);
  return body;
}

function extraIn(extra: unknown): string | undefined {
  if (extra === undefined || typeof extra === "string") return extra;
  throw new HttpError(422, "@extra: expected one text");
}
