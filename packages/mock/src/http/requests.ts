/** The HTTP side of the mock: reads requests, answers OPTIONS and writes responses. */
import { isUtf8 } from "node:buffer";
import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { compatibleMethods } from "@chain-query/openapi/json-rpc";
import { parseBody } from "@chain-query/openapi/requests";
import {
  type ApiRequest,
  type ApiResponse,
  dropConnection,
  failure,
  methodsOf,
  operationsOf,
  RequestError,
  type Responder,
} from "../responses/exchange.ts";

const bodyLimit = 64 * 1024;

/**
 * A listener for `node:http`. Pages of any origin may send requests.
 *
 * @param contractOnly - Whether paths have only the methods of the contract.
 */
export function createListener(
  respond: Responder,
  contractOnly: boolean,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const methodsAt = (path: string): readonly string[] =>
    (contractOnly ? undefined : compatibleMethods.get(path)) ?? methodsOf(path);
  return async (request, response) => {
    trackUnsent(response, request.socket);
    try {
      const target = parseTarget(request);
      const methods = methodsAt(target.path);
      const isOptions = request.method === "OPTIONS" && methods.length > 0;
      const result = isOptions
        ? optionsResponse(request, methods)
        : await respond(await readRequest(request, target, methods.includes(request.method ?? "")));
      // Destroys the socket, not the response, so that the client sees a broken connection.
      if (result === dropConnection) request.socket.destroy();
      else send(response, result);
    } catch (error) {
      // The client has disconnected.
      if (response.destroyed || request.errored) return;
      console.error(error);
      send(response, failure(500, `the mock failed: ${error}`));
    }
  };
}

type Target = Pick<ApiRequest, "path" | "query" | "error">;

/** Reads a target with or without its origin (RFC 9112, section 3.2.2). `URL` would remove dot segments and keep escapes. */
function parseTarget({ url = "", headers, httpVersion }: IncomingMessage): Target {
  const [, path = "", search = ""] = /^(?:https?:\/\/[^/?#]*)?([^?#]*)([^#]*)/i.exec(url) ?? [];
  const searchParams = new URLSearchParams(search);
  const query = [...new Set(searchParams.keys())].map((name) => [name, oneOrAll(searchParams.getAll(name))] as const);
  const target = { path, query: Object.fromEntries(query) };
  const hasHost = headers.host !== undefined || httpVersion === "1.0";
  const error = hasHost ? {} : { error: new RequestError(400, "host: missing in the headers") };
  try {
    return { ...target, path: decodeURI(path), ...error };
  } catch {
    return { ...target, error: new RequestError(422, "path: not a valid percent-encoding") };
  }
}

function oneOrAll(values: string[]): string | string[] {
  const [first, ...others] = values;
  return first !== undefined && others.length === 0 ? first : values;
}

async function readRequest(request: IncomingMessage, target: Target, isAllowed: boolean): Promise<ApiRequest> {
  const { method = "GET", headers } = request;
  return {
    method,
    ...target,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    client: request.socket.remoteAddress ?? "",
    ...(await readBody(request, target, isAllowed)),
  };
}

/** Reads the body of a POST that its path has. A body of another request is refused only by its declared size. */
async function readBody(
  request: IncomingMessage,
  { path }: Target,
  isAllowed: boolean,
): Promise<Pick<ApiRequest, "body" | "error" | "size">> {
  const {
    "content-length": length = "0",
    "transfer-encoding": framing,
    "content-type": type,
    "content-encoding": encoding = "",
  } = request.headers;
  const operation = operationsOf(path).find(({ method }) => method === "POST" && method === request.method);
  const isSent = framing !== undefined || Number(length) > 0 || type !== undefined;
  const isRead = isAllowed && request.method === "POST";
  if (isRead ? !isSent : Number(length) <= bodyLimit) return { size: 0 };
  const chunks: Buffer[] = [];
  let size = 0;
  await new Promise<void>((resolve, reject) => {
    // A body that is too long is still read to its end: many clients read the response only after sending.
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bodyLimit) chunks.push(chunk);
    });
    request.once("end", resolve);
    request.once("error", reject);
  });
  if (size > bodyLimit) {
    return { size, error: new RequestError(413, `body: too large, at most ${bodyLimit} bytes are accepted`) };
  }
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString("utf8");
  const refused = (...about: ConstructorParameters<typeof RequestError>) => ({
    ...{ size, error: new RequestError(...about) },
    ...(size > 0 && { body: text }),
  });
  if (!/^application\/json\s*(;|$)/i.test(type ?? "")) return refused(415, "content-type: expected application/json");
  if (!/^(identity)?$/i.test(encoding)) {
    return refused(415, "content-encoding: expected identity or none", { "accept-encoding": "identity" });
  }
  if (!isUtf8(bytes)) return refused(422, "body: not UTF-8, expected JSON in UTF-8");
  const parsed = parseBody(text, operation?.id);
  if (!parsed.ok) return refused(422, parsed.problem);
  return { size, ...(size > 0 && { body: parsed.body }) };
}

/** The response to OPTIONS, with CORS headers if it is a preflight. */
function optionsResponse({ headers }: IncomingMessage, methods: readonly string[]): ApiResponse {
  const allow = methods.join(", ");
  if (headers["access-control-request-method"] === undefined) return { status: 204, headers: { allow }, body: undefined };
  return {
    status: 204,
    headers: {
      allow,
      "access-control-allow-methods": allow,
      "access-control-allow-headers": String(headers["access-control-request-headers"] ?? "*"),
      "access-control-max-age": "600",
    },
    body: undefined,
  };
}

/** JSON of constant bodies, which is the same for each request. */
const jsonCache = new WeakMap<object, Buffer>();

function toJson({ body, constant = false }: ApiResponse): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  const cached = constant && typeof body === "object" && body !== null ? jsonCache.get(body) : undefined;
  const bytes = cached ?? Buffer.from(JSON.stringify(body));
  if (constant && typeof body === "object" && body !== null) jsonCache.set(body, bytes);
  return bytes;
}

function send(response: ServerResponse, sent: ApiResponse): void {
  const { status, headers, body } = sent;
  const bytes = toJson(sent);
  response.writeHead(status, {
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    // A 204 has no content-length; browsers reject a 204 with a content-length.
    ...(status === 204 ? {} : { "content-length": bytes.length }),
    ...headers,
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "*",
  });
  // Node sends no body in response to HEAD.
  response.end(bytes);
}

/** An error of Node's HTTP parser, with the reason in the parser's fixed words. */
interface ParserError extends Error {
  readonly code?: string;
  readonly reason?: string;
  readonly rawPacket?: unknown;
}

/** Unsent responses by connection. */
const unsent = new WeakMap<Socket, Set<ServerResponse>>();

function trackUnsent(response: ServerResponse, socket: Socket): void {
  const responses = unsent.get(socket) ?? new Set();
  unsent.set(socket, responses.add(response));
  response.once("close", () => responses.delete(response));
}

/** Responds to a request that Node's HTTP parser rejects, after the responses to the requests before it. */
export async function respondToUnparsed({ code, reason, rawPacket }: ParserError, socket: Socket): Promise<void> {
  const earlier = [...(unsent.get(socket) ?? [])].filter(({ req }) => req.complete);
  await Promise.all(earlier.map((response) => once(response, "close")));
  if (!socket.writable) return;
  const lineEnd = rawPacket instanceof Buffer ? rawPacket.indexOf("\r\n") : 0;
  const isLongUrl = code === "HPE_HEADER_OVERFLOW" && (lineEnd === -1 || lineEnd > maxFirstLine);
  const [status, error] = parserErrors[isLongUrl ? "URL" : (code ?? "")] ?? [
    422,
    `not a valid HTTP request${reason === undefined ? "" : `: ${reason}`}`,
  ];
  const body = JSON.stringify(failure(status, error).body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json",
    "cache-control: no-store",
    `content-length: ${Buffer.byteLength(body)}`,
    "access-control-allow-origin: *",
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), 1000).unref();
}

/** If the request line is longer than this, the URL makes the head too large. */
const maxFirstLine = 8192;

const parserErrors: Readonly<Record<string, readonly [status: number, error: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, "the request took too long to arrive"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "the chunk extensions are too large"],
  HPE_HEADER_OVERFLOW: [431, "the headers are too large"],
  URL: [414, "the URL is too long"],
};
