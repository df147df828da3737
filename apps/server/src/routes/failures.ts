/** Error responses in the contract's envelope. Their status tells whether the caller or the service is at fault (D-03, D-04, D-45). */
import { STATUS_CODES } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { errorForCaller, exposedHeaders, failureText, HttpError } from "../failure.ts";
import type { Heads } from "./heads.ts";
import type { RawResponse, RefusedConnections } from "./refused-connections.ts";
import { bodyTooLarge, type CountResponse, extraOf, isTooLarge, pathOf, responseHeaders } from "./request.ts";

/** Sends the response to an error. */
export type Fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Options of {@link createFail}. */
interface FailOptions {
  readonly log: Logger;
  readonly countResponse: CountResponse;
  readonly refusedConnections: RefusedConnections;
  readonly heads: Heads;
}

/** Creates the function that responds to errors. */
export function createFail({ log, countResponse, refusedConnections, heads }: FailOptions): Fail {
  const send: Fail = (error, request, reply) => {
    const failure = errorForCaller(error) ?? httpErrorOf(error) ?? unexpected(error, request, log);
    const { status, headers } = failure;
    if (status === 413 || isTooLarge(request)) {
      reply.header("connection", "close");
      refusedConnections.refuseWithResponse(request.raw.socket);
    }
    // The query is null if the URL could not be parsed.
    const extra = (request.query as Record<string, unknown> | null)?.["@extra"];
    if (typeof extra === "string") request.sentExtra ??= extra;
    if (request.operation !== undefined || request.call !== undefined) heads.mark(request, reply);
    countResponse(request, status);
    reply.code(status).headers({ ...responseHeaders, ...headers });
    return reply.send(failureText(failure, extraOf(request), request.call));
  };
  return (error, request, reply) => {
    try {
      return send(error, request, reply);
    } catch {
      // Fastify would send the message of the error.
      return reply
        .code(500)
        .headers(responseHeaders)
        .send(failureText(new HttpError(500, "internal error")));
    }
  };
}

/** Sends an HTML page for an unknown route. Returns undefined if the request gets an error in JSON instead. */
export type SendNotFound = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined;

/** Registers the responses to errors and unknown routes. @param methodsAt - The methods of each path, for the Allow header of a 405. */
export function addFailures(
  app: FastifyInstance,
  fail: Fail,
  methodsAt: ReadonlyMap<string, readonly string[]>,
  sendNotFound: SendNotFound,
): void {
  const unrouted = ({ url, method }: FastifyRequest): HttpError => {
    const [path = ""] = url.split("?", 1);
    const allow = methodsAt.get(path)?.join(", ");
    return allow === undefined
      ? unknownPath
      : new HttpError(405, `${method} is not allowed here; allowed are ${allow}`, { headers: { allow } });
  };
  app.setErrorHandler((error, request, reply) => fail(isUnrouted(error) ? unrouted(request) : error, request, reply));
  app.setNotFoundHandler((request, reply) => sendNotFound(request, reply) ?? fail(unrouted(request), request, reply));
}

const unknownPath = new HttpError(404, "there is no such path; expected /api/v2/ and the name of an operation");

/** Fastify checks the content type of methods such as QUERY before it looks for a route. */
function isUnrouted(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "FST_ERR_ROUTE_MISSING_CONTENT_TYPE";
}

const fastifyErrors: Readonly<Record<string, HttpError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: bodyTooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new HttpError(415, "content-type: expected application/json"),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new HttpError(422, "body: its size is not what content-length says"),
  FST_ERR_BAD_URL: new HttpError(422, "path: not a valid percent-encoding"),
  FST_STATIC_FORBIDDEN_PATH: unknownPath,
};

function httpErrorOf(error: unknown): HttpError | undefined {
  if (!(error instanceof Error && "code" in error)) return undefined;
  // The caller has closed the connection. The metrics count it as an error of the caller.
  if (error.code === "ECONNRESET" && error.message === "aborted")
    return new HttpError(422, "the request ended before it was complete");
  const isCallers = "statusCode" in error && Number(error.statusCode) >= 400 && Number(error.statusCode) < 500;
  return fastifyErrors[String(error.code)] ?? (isCallers ? new HttpError(422, "the request cannot be read") : undefined);
}

/** Logs an unexpected error; the response carries only the request id. */
function unexpected(error: unknown, request: FastifyRequest, log: Logger): HttpError {
  log.error({ err: error, request: request.id, path: pathOf(request) }, "request failed");
  const message = `internal error; the service's log has the details under request ${request.id}`;
  return new HttpError(500, message, { headers: { "x-request-id": request.id, ...exposedHeaders } });
}

/** If the request line is longer than this, the URL makes the head too large. */
const maxFirstLine = 8192;

/** An error of Node's HTTP parser. */
export interface ParserError extends Error {
  readonly code?: string;
  /** The problem, as a fixed text of the parser. */
  readonly reason?: string;
  readonly rawPacket?: unknown;
}

/** The response to a request that Node's HTTP parser refuses. */
export function parserFailure(parserError: ParserError): RawResponse {
  const [status, error] = parserStatus(parserError);
  const body = failureText(new HttpError(status, error));
  const bytes = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    ...Object.entries(responseHeaders).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    "access-control-allow-origin: *",
    "connection: close",
    "",
    body,
  ].join("\r\n");
  return { status, bytes };
}

const notHttp = "not a valid HTTP request";

function parserStatus({ code, reason, rawPacket }: ParserError): readonly [number, string] {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return [408, "the request took too long to arrive"];
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") return [413, "the chunk extensions are too large"];
  if (code !== "HPE_HEADER_OVERFLOW") return [422, reason === undefined ? notHttp : `${notHttp}: ${reason}`];
  const lineEnd = Buffer.isBuffer(rawPacket) ? rawPacket.indexOf("\r\n") : 0;
  return lineEnd === -1 || lineEnd > maxFirstLine ? [414, "the URL is too long"] : [431, "the headers are too large"];
}
