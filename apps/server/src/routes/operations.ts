/** Registers the routes of the contract's operations. */
import { andThen } from "@chain-query/format/async";
import { hasTag, preferencesIn, storableHeaders } from "@chain-query/openapi/heads";
import type { CallEnvelope } from "@chain-query/openapi/json-rpc";
import { type Operation, operations } from "@chain-query/openapi/operations";
import { checkRequest, type Place, type RequestInputs } from "@chain-query/openapi/requests";
import type { OperationId, ResultOf } from "@chain-query/types";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Encoded, encode } from "../answer-cache/encoded.ts";
import { proveAnswer } from "../answer-proof.ts";
import { HttpError, withoutKeys } from "../failure.ts";
import { type Context, type Handler, handlers } from "../handlers.ts";
import type { Heads } from "./heads.ts";
import {
  addApplied,
  type CountResponse,
  corsHeaders,
  extraOf,
  json as jsonType,
  pageMethods,
  responseHeaders,
} from "./request.ts";

/** Options of {@link createAnswer}. */
interface AnswerOptions {
  readonly context: Context;
  readonly countResponse: CountResponse;
  readonly heads: Heads;
  /** Whether responses that no longer change may be stored. */
  readonly cacheHeaders: boolean;
}

/** Answers a request of an operation. Throws, or sends, the error of its inputs or of the read. */
export type Answer = <Id extends OperationId>(
  id: Id,
  sent: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  form?: Partial<Form>,
) => void;

/** How a request outside of the contract differs from one of it. */
interface Form {
  /** Of the inputs, for the errors. */
  readonly place: Place;
  /** Changes the JSON of the result. */
  readonly change?: (result: string) => string;
}

/** Creates the function that answers requests of operations. */
export function createAnswer({ context, countResponse, heads, cacheHeaders }: AnswerOptions): Answer {
  const respond = <Id extends OperationId>(
    id: Id,
    request: FastifyRequest,
    reply: FastifyReply,
    inputs: RequestInputs[Id],
    result: ResultOf<Id> | Encoded<ResultOf<Id>>,
    { change, proof }: { readonly change?: Form["change"] | undefined; readonly proof?: string | undefined },
  ): void => {
    const encoded = result instanceof Encoded ? result.json : encode(id, result);
    if (cacheHeaders && result instanceof Encoded && result.isSettled && isStorable(request, inputs)) {
      const etag = `"${result.tag}"`;
      const isKnown = hasTag(request.headers["if-none-match"], etag);
      if (isKnown) sendNotModified(reply, etag);
      else send(reply, [...storedHeaders, "etag", etag], encoded, endOf(request.sentExtra ?? storedExtra));
      countResponse(request, isKnown ? 304 : 200);
      return;
    }
    heads.mark(request, reply);
    const json = change === undefined ? encoded : change(String(encoded));
    send(reply, headersOf(reply), json, endOf(extraOf(request), request.call, proof));
    countResponse(request, 200);
  };
  return (id, sent, request, reply, { place, change } = {}) => {
    const { deadline } = request;
    deadline.signal.throwIfAborted();
    const handle: Handler<typeof id> = handlers[id];
    const inputs = inputsOf(id, sent, place);
    const result = andThen(heads.begin(request, reply), (head) => handle(inputs, context, head));
    const preference =
      context.proofs && place === undefined ? preferencesIn(request.headers["prefer"]?.toString()).proof : undefined;
    if (preference !== undefined) {
      const proved = async () => {
        const value = await result;
        const { head } = request;
        const proof = head && (await proveAnswer(id, inputs, value, preference, context, head));
        if (proof !== undefined) addApplied(reply, "proof");
        respond(id, request, reply, inputs, value, { proof });
      };
      deadline.limit(proved()).catch((error: unknown) => reply.send(error));
      return;
    }
    if (!(result instanceof Promise)) return respond(id, request, reply, inputs, result, { change });
    deadline
      .limit(result)
      .then((value) => respond(id, request, reply, inputs, value, { change }))
      .catch((error: unknown) => reply.send(error));
  };
}

/** Registers all operations at their paths. */
export function addOperations(app: FastifyInstance, answer: Answer): void {
  for (const { id, method, path } of operations) {
    const sent = method === "GET" ? queryOf : bodyOf;
    app.route({
      method,
      url: path,
      config: { operation: id },
      handler: (request, reply) => answer(id, sent(request), request, reply),
    });
  }
}

/** The methods of an operation's path. */
export function contractMethods({ method }: Operation): readonly string[] {
  return method === "GET" ? pageMethods : ["POST", "OPTIONS"];
}

const start = '{"ok":true,"result":';

/** Of a response that a cache sends to other requests too. */
const storedExtra = "0:0:0";
/** Not the headers of limits, which are of one caller. */
const storedHeaders = Object.entries({ ...corsHeaders, "content-type": jsonType, ...storableHeaders }).flat();
const notModifiedHeaders = { ...corsHeaders, ...storableHeaders };
const ownHeaders = Object.entries(responseHeaders).flat();

/**
 * Whether a settled response is the same for all callers and for good (D-52). A page without a cursor begins with the newest transaction. A
 * cache keeps the URL, which must not have a key.
 */
function isStorable({ method, headers, query, operation, isCompatible }: FastifyRequest, inputs: object): boolean {
  if (method === "POST" || isCompatible || headers["prefer"] !== undefined || headers["chain-min-head"] !== undefined)
    return false;
  if (operation === "getTransactionsStd" && !("lt" in inputs && inputs.lt !== undefined)) return false;
  // Decoded, since a key may be percent-encoded.
  const sent = JSON.stringify(query);
  return !Object.hasOwn(query as object, "api_key") && withoutKeys(sent) === sent;
}

function sendNotModified(reply: FastifyReply, etag: string): void {
  reply.hijack();
  reply.raw.writeHead(304, { ...notModifiedHeaders, etag }).end();
}

function endOf(extra: string, call?: CallEnvelope, proof?: string): string {
  const returned = call === undefined ? "" : `,${JSON.stringify(call).slice(1, -1)}`;
  return `${proof === undefined ? "" : `,"proof":${proof}`},"@extra":${JSON.stringify(extra)}${returned}}`;
}

/** Names and values in turn, which Node takes as they are. */
function headersOf(reply: FastifyReply): string[] {
  const headers: string[] = [];
  const set = reply.getHeaders();
  for (const name in set) headers.push(name, String(set[name]));
  headers.push(...ownHeaders);
  return headers;
}

/** Sends a response without Fastify's serialisation, which takes longer than most reads. */
function send(reply: FastifyReply, headers: string[], result: string | Buffer, end: string): void {
  const { raw } = reply;
  // Errors before this are responded to as those of a handler.
  reply.hijack();
  if (typeof result === "string") {
    const text = start + result + end;
    headers.push("content-length", String(Buffer.byteLength(text)));
    raw.writeHead(200, headers).end(text);
    return;
  }
  // Concatenating a long response would cost more than all steps before.
  headers.push("content-length", String(start.length + result.length + Buffer.byteLength(end)));
  raw.writeHead(200, headers);
  raw.write(start, "latin1");
  raw.write(result);
  raw.end(end);
}

function inputsOf<Id extends OperationId>(id: Id, sent: unknown, place: Place | undefined): RequestInputs[Id] {
  const checked = checkRequest(id, sent, place);
  if (checked.ok) return checked.inputs;
  // A caller may have sent an API key in the wrong place.
  throw new HttpError(422, withoutKeys(checked.problems.join("; ")), { input: checked.input && withoutKeys(checked.input) });
}

export function queryOf(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const query = request.query as Readonly<Record<string, unknown>>;
  request.sentExtra = extraIn(query["@extra"]);
  return query;
}

/** The identifier of a POST may be in its body or in its query (D-05). */
export function bodyOf(request: FastifyRequest): unknown {
  const { body, query } = request;
  const fromBody: unknown = typeof body === "object" && body !== null && "@extra" in body ? body["@extra"] : undefined;
  request.sentExtra = extraIn(fromBody ?? (query as Readonly<Record<string, unknown>>)["@extra"]);
  return body;
}

function extraIn(extra: unknown): string | undefined {
  if (extra === undefined || typeof extra === "string") return extra;
  throw new HttpError(422, "@extra: expected one text", { input: "@extra" });
}
