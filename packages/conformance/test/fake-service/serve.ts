/** Serves a fake service on a free port of this machine. */
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { operations } from "@chain-query/openapi/operations";
import { isObject } from "../../src/json.ts";
import { type Call, HttpError, type Reply, type Service } from "./conforming.ts";

export interface Served extends AsyncDisposable {
  readonly url: string;
}

const methods = new Map<string, string>(operations.map(({ path, method }) => [path, method]));

/** Listens on a free port. */
export async function listening(
  listener: RequestListener,
  onConnect?: (request: IncomingMessage, socket: Socket) => void,
): Promise<Served> {
  const server = createServer({ maxHeaderSize: 2 ** 21 }, listener);
  if (onConnect !== undefined) server.on("connect", onConnect);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}

/** The address of a free port, where nothing listens. */
export async function freeUrl(): Promise<string> {
  await using served = await listening(() => {});
  return served.url;
}

export function serve(service: Service): Promise<Served> {
  return listening(async (request, response) => {
    const { reply, call } = await replyTo(service, request);
    const { status, contentType, headers, body } = await service.finish(reply, call);
    if (status === 0) return request.socket.destroy();
    return response
      .writeHead(status, { "content-type": contentType, ...headers })
      .end(typeof body === "string" ? body : JSON.stringify(body));
  });
}

async function replyTo(service: Service, request: IncomingMessage): Promise<{ reply: Reply; call: Call }> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
  const operation = pathname.replace("/api/v2/", "");
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const call: Call = { operation, method: request.method ?? "", path: pathname, input: {}, headers };
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  try {
    if (service.isOverLimit(call)) throw new HttpError(429, "rate limit exceeded");
    if (methods.get(pathname) !== request.method) throw new HttpError(404, "unknown operation");
    if (headers["x-api-key"] === "not-a-key-of-this-service") throw new HttpError(401, "API key does not exist");
    if (text.length > 2 ** 20) throw new HttpError(413, "the body is too large");
    call.input = request.method === "GET" ? Object.fromEntries(searchParams) : bodyOf(text, headers["content-type"] ?? "");
    const problem = service.problemIn(call);
    if (problem !== undefined) throw new HttpError(422, problem);
    const extra = call.input["@extra"] ?? searchParams.get("@extra") ?? "1767325600:0:0.004";
    return { reply: replyOf(200, { ok: true, result: service.handlers[operation]?.(call.input), "@extra": extra }), call };
  } catch (error) {
    const status = error instanceof HttpError ? error.status : 500;
    return { reply: replyOf(status, { ok: false, error: String(error), code: status }), call };
  }
}

function bodyOf(text: string, contentType: string): Record<string, unknown> {
  if (!contentType.startsWith("application/json")) throw new HttpError(422, "the body is not JSON");
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new HttpError(422, "the body is not JSON");
  }
  if (!isObject(body)) throw new HttpError(422, "the body is no object");
  return { ...body };
}

function replyOf(status: number, body: unknown): Reply {
  return { status, contentType: "application/json", headers: status === 429 ? { "retry-after": "1" } : {}, body };
}
