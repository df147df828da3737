import type { IncomingMessage, ServerResponse } from "node:http";
import { type Answer, failure, hangUp, type Question, Refusal, type Responder } from "./exchange.ts";

const bodyLimit = 1024 * 1024;

/** A listener for `node:http` that lets a responder answer, for callers in browsers as well. */
export function listener(
  respond: Responder,
  methodsOf: (path: string) => string[],
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    try {
      const target = targetOf(request);
      const methods = request.method === "OPTIONS" ? methodsOf(target.path) : [];
      const answer = methods.length > 0 ? options(request, methods) : await respond(await questionIn(request, target));
      // Not the response: what is not answered must look like a connection that broke.
      if (answer === hangUp) request.socket.destroy();
      else send(response, answer);
    } catch (error) {
      // The caller is gone, and with it the reason to answer.
      if (response.destroyed || request.errored) return;
      console.error(error);
      send(response, failure(500, `the mock failed: ${error}`));
    }
  };
}

type Target = Pick<Question, "path" | "query">;

function targetOf({ url = "/" }: IncomingMessage): Target {
  const target = url.startsWith("/") ? `http://mock${url}` : url;
  if (!URL.canParse(target)) return { path: url, query: {} };
  const { pathname, searchParams } = new URL(target);
  const query = [...new Set(searchParams.keys())].map((name) => [name, oneOrAll(searchParams.getAll(name))] as const);
  return { path: pathname, query: Object.fromEntries(query) };
}

function oneOrAll(values: string[]): string | string[] {
  const [first, ...others] = values;
  return first !== undefined && others.length === 0 ? first : values;
}

async function questionIn(request: IncomingMessage, { path, query }: Target): Promise<Question> {
  const { method = "GET", headers } = request;
  const body = await bodyOf(request);
  return {
    method,
    path,
    query,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    client: request.socket.remoteAddress ?? "",
    ...body,
  };
}

async function bodyOf(request: IncomingMessage): Promise<Pick<Question, "body" | "refusal" | "size">> {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (encoding === undefined && (length === undefined || length === "0")) return { size: 0 };
  const chunks: Buffer[] = [];
  let size = 0;
  await new Promise<void>((resolve, reject) => {
    // What is too long is still read to its end: a caller who is busy sending would not see the answer.
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bodyLimit) chunks.push(chunk);
    });
    request.once("end", resolve);
    request.once("error", reject);
  });
  if (size > bodyLimit) {
    return { size, refusal: new Refusal(413, `the body has ${size} bytes; at most ${bodyLimit} are accepted`) };
  }
  const text = Buffer.concat(chunks).toString("utf8");
  if (text === "") return { size };
  return { size, ...(isJson(request.headers["content-type"]) ? parsed(text) : { body: text }) };
}

function isJson(contentType = ""): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType);
}

function parsed(text: string): Pick<Question, "body" | "refusal"> {
  try {
    return { body: JSON.parse(text) };
  } catch (error) {
    const message = `the body is not JSON: ${error instanceof Error ? error.message : error}`;
    return { body: text, refusal: new Refusal(422, message) };
  }
}

/** What may be sent to a path: told to anyone who asks, and to a browser before it lets a page of another origin send it. */
function options({ headers }: IncomingMessage, methods: string[]): Answer {
  const allow = [...methods, "OPTIONS"].join(", ");
  if (headers["access-control-request-method"] === undefined) return { status: 204, headers: { allow }, body: undefined };
  return {
    status: 204,
    headers: {
      allow,
      "access-control-allow-methods": methods.join(", "),
      "access-control-allow-headers": String(headers["access-control-request-headers"] ?? "*"),
      "access-control-max-age": "600",
    },
    body: undefined,
  };
}

const kept = new WeakMap<object, Buffer>();

function bytesOf({ body, constant = false }: Answer): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  const known = constant && typeof body === "object" && body !== null ? kept.get(body) : undefined;
  const bytes = known ?? Buffer.from(JSON.stringify(body));
  if (constant && typeof body === "object" && body !== null) kept.set(body, bytes);
  return bytes;
}

function send(response: ServerResponse, answer: Answer): void {
  const { status, headers, body } = answer;
  const bytes = bytesOf(answer);
  response.writeHead(status, {
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    // An answer of this status has no length, and a browser refuses one that tells it.
    ...(status === 204 ? {} : { "content-length": bytes.length }),
    ...headers,
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "*",
  });
  // To HEAD, Node sends the length alone.
  response.end(bytes);
}
