import type { IncomingMessage, ServerResponse } from "node:http";
import { type Answer, failure, type Question, Refusal, type Responder } from "./exchange.ts";

const bodyLimit = 1024 * 1024;

/** A listener for `node:http` that lets a responder answer, for callers in browsers as well. */
export function listener(respond: Responder): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    try {
      if (isPreflight(request)) send(response, preflight(request));
      else send(response, await respond(await questionIn(request)));
    } catch (error) {
      if (response.destroyed) return; // The caller is gone, and with it the reason to answer.
      if (!(error instanceof Refusal)) console.error(error);
      send(response, error instanceof Refusal ? error.answer : failure(500, `the mock failed: ${error}`));
    }
  };
}

async function questionIn(request: IncomingMessage): Promise<Question> {
  const { method = "GET", url = "/", headers } = request;
  const target = url.startsWith("/") ? `http://mock${url}` : url;
  if (!URL.canParse(target)) throw new Refusal(404, `the contract has no path ${url}`);
  const { pathname, searchParams } = new URL(target);
  const query = [...new Set(searchParams.keys())].map((name) => [name, oneOrAll(searchParams.getAll(name))] as const);
  const text = await bodyText(request);
  return {
    method,
    path: pathname,
    query: Object.fromEntries(query),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    ...(text === "" ? {} : { body: isJson(headers["content-type"]) ? parsed(text) : text }),
  };
}

function oneOrAll(values: string[]): string | string[] {
  const [first, ...others] = values;
  return first !== undefined && others.length === 0 ? first : values;
}

async function bodyText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // What is too long is still read to its end: a caller who is busy sending would not see the answer.
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= bodyLimit) chunks.push(chunk);
  }
  if (size > bodyLimit) throw new Refusal(413, `the body has ${size} bytes; at most ${bodyLimit} are accepted`);
  return Buffer.concat(chunks).toString("utf8");
}

function isJson(contentType = ""): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal(422, `the body is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

function preflight({ headers }: IncomingMessage): Answer {
  return {
    status: 204,
    headers: {
      "access-control-allow-methods": String(headers["access-control-request-method"]),
      "access-control-allow-headers": String(headers["access-control-request-headers"] ?? "*"),
    },
    body: undefined,
  };
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  const content = body === undefined ? {} : { "content-type": "application/json" };
  response.writeHead(status, {
    ...headers,
    ...content,
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "*",
  });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
