/** Registers the routes of the contract's operations. */
import { type Operation, operations } from "@chain-query/openapi/operations";
import { checkRequest, type RequestInputs } from "@chain-query/openapi/requests";
import type { OperationId, ResultOf } from "@chain-query/types";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { HttpError, withoutKeys } from "../failure.ts";
import { type Context, type Handler, handlers } from "../handlers.ts";
import { Encoded, encode } from "../results/encoded.ts";
import type { Heads } from "./heads.ts";
import { type Answered, addOptions, extraOf, responseHeaders } from "./request.ts";

/** Options of {@link addOperations}. */
interface OperationOptions {
  readonly context: Context;
  readonly answered: Answered;
  readonly heads: Heads;
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
  { context, answered, heads }: OperationOptions,
): void {
  const { id, method, path } = operation;
  const sent = method === "GET" ? queryOf : bodyOf;
  const handle: Handler<Id> = handlers[id];
  const respond = (request: FastifyRequest, reply: FastifyReply, result: ResultOf<Id> | Encoded<ResultOf<Id>>): void => {
    const json = result instanceof Encoded ? result.json : encode(id, result);
    const end = `,"@extra":${JSON.stringify(extraOf(request))}}`;
    heads.mark(request, reply);
    send(reply, json, end);
    answered(request, 200);
  };
  app.route({
    method,
    url: path,
    config: { operation: id },
    handler: (request: FastifyRequest, reply: FastifyReply) => {
      const { deadline } = request;
      deadline.signal.throwIfAborted();
      const inputs = inputsOf(id, sent(request));
      const begun = heads.begin(request, reply);
      const run = () => handle(inputs, context, deadline.signal);
      const result = begun === undefined ? run() : begun.then(run);
      if (!(result instanceof Promise)) return respond(request, reply, result);
      deadline
        .limit(result)
        .then((value) => respond(request, reply, value))
        .catch((error: unknown) => reply.send(error));
    },
  });
  addOptions(app, path, methodsOf(operation));
}

const start = '{"ok":true,"result":';

/** Sends a response without Fastify's serialisation, which takes longer than most reads. */
function send(reply: FastifyReply, result: string | Buffer, end: string): void {
  const { raw } = reply;
  const headers = Object.entries({ ...reply.getHeaders(), ...responseHeaders }).flatMap(([name, value]) => [
    name,
    String(value),
  ]);
  // Errors before this are responded to as those of a handler.
  reply.hijack();
  if (typeof result === "string") {
    const text = start + result + end;
    raw.writeHead(200, [...headers, "content-length", String(Buffer.byteLength(text))]).end(text);
    return;
  }
  // Concatenating a long response would cost more than all steps before.
  const length = start.length + result.length + Buffer.byteLength(end);
  raw.writeHead(200, [...headers, "content-length", String(length)]);
  raw.write(start, "latin1");
  raw.write(result);
  raw.end(end);
}

function inputsOf<Id extends OperationId>(id: Id, sent: unknown): RequestInputs[Id] {
  const checked = checkRequest(id, sent);
  if (checked.ok) return checked.inputs;
  // A caller may have sent an API key in the wrong place.
  throw new HttpError(422, withoutKeys(checked.problems.join("; ")), { input: checked.input && withoutKeys(checked.input) });
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
  throw new HttpError(422, "@extra: expected one text", { input: "@extra" });
}
