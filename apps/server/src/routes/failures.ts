/** Everything that does not succeed, in the contract's envelope and with a status that tells who can mend it (D-03, D-04, D-45). */
import { STATUS_CODES } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { SourceError } from "../chain-source.ts";
import { operations } from "../contract/bundle.ts";
import { failureText, Refusal } from "../failure.ts";
import { bodyLimit } from "./body.ts";
import { type Answered, extraOf, pathOf } from "./call.ts";
import { json, methodsOf } from "./operations.ts";
import { pageMethods } from "./pages.ts";

/** Says what went wrong. */
export type Fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/**
 * Makes the answer to everything that goes wrong.
 *
 * @param node - The number of this process, which identifiers of requests tell.
 */
export function failing(log: Logger, node: number, answered: Answered): Fail {
  return (error, request, reply) => {
    const { status, message, headers } =
      error instanceof Refusal ? error : (refusalOf(error) ?? unexpected(error, request, log));
    // The rest of a body that is too large is read and thrown away: a caller who is busy sending would not see the answer.
    if (status === 413) reply.removeHeader("connection");
    // A URL that cannot be read has no query.
    const extra = (request.query as Record<string, unknown> | null)?.["@extra"];
    if (typeof extra === "string") request.sentExtra ??= extra;
    answered(request, status);
    reply.code(status).headers(headers).header("content-type", json);
    return reply.send(failureText(status, message, extraOf(request, node)));
  };
}

/** Answers what no route answers. @param pages - The paths that are no operations. */
export function addFailures(app: FastifyInstance, fail: Fail, pages: readonly string[]): void {
  const methodsAt = new Map([
    ...operations.map((operation) => [operation.path, methodsOf(operation)] as const),
    ...pages.map((path) => [path, pageMethods] as const),
  ]);
  const noSuchRoute = ({ url, method }: FastifyRequest): Refusal => {
    const [path = ""] = url.split("?", 1);
    const allow = methodsAt.get(path)?.join(", ");
    return allow === undefined ? noSuchPath : new Refusal(405, `${method} is not taken here; ${allow} are`, { allow });
  };
  app.setErrorHandler((error, request, reply) => fail(isUnrouted(error) ? noSuchRoute(request) : error, request, reply));
  app.setNotFoundHandler((request, reply) => fail(noSuchRoute(request), request, reply));
}

const noSuchPath = new Refusal(404, "there is no such path; /openapi.json lists those that there are");

/** Of a method such as QUERY, Fastify wants to know what its body is before it looks for a route. */
function isUnrouted(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "FST_ERR_ROUTE_MISSING_CONTENT_TYPE";
}

const known: Readonly<Record<string, () => Refusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Refusal(413, `body: too large, at most ${bodyLimit} bytes are accepted`),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new Refusal(415, "content-type: expected application/json"),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new Refusal(422, "body: its size is not what content-length says"),
  FST_ERR_BAD_URL: () => new Refusal(422, "path: not a valid percent-encoding"),
  FST_STATIC_FORBIDDEN_PATH: () => noSuchPath,
};

function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof SourceError) return new Refusal(error.kind === "slow" ? 504 : 542, error.message);
  if (!(error instanceof Error && "code" in error)) return undefined;
  // Nobody reads this answer; it is counted as what the caller did.
  if (error.code === "ECONNRESET" && error.message === "aborted")
    return new Refusal(422, "the request ended before it was whole");
  const refusal = known[String(error.code)]?.();
  // Whatever else Fastify finds wrong with a request is its sender's to mend.
  const isSenders = "statusCode" in error && Number(error.statusCode) >= 400 && Number(error.statusCode) < 500;
  return refusal ?? (isSenders ? new Refusal(422, "the request cannot be read") : undefined);
}

/** What nobody expected is told to the operator; the caller learns where to find it. */
function unexpected(error: unknown, request: FastifyRequest, log: Logger): Refusal {
  log.error({ err: error, request: request.id, path: pathOf(request) }, "a request failed");
  return new Refusal(500, `the service failed; its log knows this request as ${request.id}`);
}

/** Bytes of a request's first line, above which it is the URL that makes a head too large. */
const longestLine = 8192;

/** What HTTP itself refuses before there is a request, with the bytes for the socket. */
export function earlyFailure(
  code: string | undefined,
  packet: Buffer | undefined,
): { readonly status: number; readonly bytes: string } {
  const [status, error] = earlyStatus(code, packet);
  const body = failureText(status, error);
  const bytes = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    `content-type: ${json}`,
    `content-length: ${Buffer.byteLength(body)}`,
    "access-control-allow-origin: *",
    "connection: close",
    "",
    body,
  ].join("\r\n");
  return { status, bytes };
}

function earlyStatus(code: string | undefined, packet: Buffer | undefined): readonly [number, string] {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return [408, "the request took too long to arrive"];
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") return [413, "the chunk extensions are too large"];
  if (code !== "HPE_HEADER_OVERFLOW") return [422, "this is not an HTTP request"];
  const line = packet?.indexOf("\r\n") ?? 0;
  return line === -1 || line > longestLine ? [414, "the URL is too long"] : [431, "the headers are too large"];
}
