/** Registers the routes of the contract's operations. */
import { andThen } from "@chain-query/format/async";
import { type Operation, operations } from "@chain-query/openapi/operations";
import { checkRequest, type RequestInputs } from "@chain-query/openapi/requests";
import type { OperationId, ResultOf } from "@chain-query/types";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Encoded, encode } from "../answer-cache/encoded.ts";
import { proofIn, proveAnswer } from "../answer-proof.ts";
import { HttpError, withoutKeys } from "../failure.ts";
import { type Context, type Handler, handlers } from "../handlers.ts";
import type { Heads } from "./heads.ts";
import { type Answered, addApplied, addOptions, corsHeaders, extraOf, json as jsonType, responseHeaders } from "./request.ts";

/** Options of {@link addOperations}. */
interface OperationOptions {
  readonly context: Context;
  readonly answered: Answered;
  readonly heads: Heads;
  /** Whether responses that no longer change may be stored. */
  readonly cacheHeaders: boolean;
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
  { context, answered, heads, cacheHeaders }: OperationOptions,
): void {
  const { id, method, path } = operation;
  const sent = method === "GET" ? queryOf : bodyOf;
  const handle: Handler<Id> = handlers[id];
  const respond = (
    request: FastifyRequest,
    reply: FastifyReply,
    inputs: RequestInputs[Id],
    result: ResultOf<Id> | Encoded<ResultOf<Id>>,
    proof?: string,
  ): void => {
    const json = result instanceof Encoded ? result.json : encode(id, result);
    if (cacheHeaders && result instanceof Encoded && result.isSettled && isStorable(request, inputs)) {
      const headers = { ...storableHeaders, etag: `"${result.tag}"` };
      const isKnown = matches(request.headers["if-none-match"], headers.etag);
      if (isKnown) sendNotModified(reply, headers);
      else send(reply, headers, json, endOf(request.sentExtra ?? storedExtra));
      answered(request, isKnown ? 304 : 200);
      return;
    }
    heads.mark(request, reply);
    send(reply, { ...reply.getHeaders(), ...responseHeaders }, json, endOf(extraOf(request), proof));
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
      const result = andThen(heads.begin(request, reply), (head) => handle(inputs, context, head));
      const preference = context.proofs && proofIn(request.headers["prefer"]);
      if (preference !== undefined) {
        const proved = async () => {
          const value = await result;
          const { head } = request;
          const proof = head && (await proveAnswer(id, inputs, value, preference, context, head));
          if (proof !== undefined) addApplied(reply, "proof");
          respond(request, reply, inputs, value, proof);
        };
        deadline.limit(proved()).catch((error: unknown) => reply.send(error));
        return;
      }
      if (!(result instanceof Promise)) return respond(request, reply, inputs, result);
      deadline
        .limit(result)
        .then((value) => respond(request, reply, inputs, value))
        .catch((error: unknown) => reply.send(error));
    },
  });
  addOptions(app, path, methodsOf(operation));
}

const start = '{"ok":true,"result":';

/** Of a response that a cache sends to other requests too. */
const storedExtra = "0:0:0";
/** Days rather than years, and not immutable: an error in a decoder can be corrected. Not the headers of limits, which are of one caller. */
const storableHeaders = {
  ...corsHeaders,
  "content-type": jsonType,
  "cache-control": "public, max-age=86400, stale-while-revalidate=604800",
  vary: "Prefer, chain-min-head, Accept-Encoding",
};

/**
 * Whether a settled response is the same for all callers and for good (D-52). A page without a cursor begins with the newest transaction. A
 * cache keeps the URL, which must not have a key.
 */
function isStorable({ method, headers, query, url, operation }: FastifyRequest, inputs: object): boolean {
  if (method === "POST" || headers["prefer"] !== undefined || headers["chain-min-head"] !== undefined) return false;
  if (operation === "getTransactionsStd" && !("lt" in inputs && inputs.lt !== undefined)) return false;
  return !Object.hasOwn(query as object, "api_key") && withoutKeys(url) === url;
}

/** Whether an If-None-Match has the tag (RFC 9110, section 13.1.2). */
function matches(header: string | undefined, etag: string): boolean {
  const tags = header?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return tags.includes("*") || tags.includes(etag);
}

function sendNotModified(reply: FastifyReply, { "content-type": _, ...headers }: Readonly<Record<string, string>>): void {
  reply.hijack();
  reply.raw.writeHead(304, headers).end();
}

function endOf(extra: string, proof?: string): string {
  const member = proof === undefined ? "" : `,"proof":${proof}`;
  return `${member},"@extra":${JSON.stringify(extra)}}`;
}

/** Sends a response without Fastify's serialisation, which takes longer than most reads. */
function send(reply: FastifyReply, of: Readonly<Record<string, unknown>>, result: string | Buffer, end: string): void {
  const { raw } = reply;
  const headers = Object.entries(of).flatMap(([name, value]) => [name, String(value)]);
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
