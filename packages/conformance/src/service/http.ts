/** Sends requests at a limited rate, and waits and retries when the service answers 429. */
import { Agent, type ClientRequest, request as http, type IncomingMessage } from "node:http";
import { request as https, Agent as TlsAgent } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { parseJson } from "../parse-json.ts";
import { type Answer, answerOf, contentOf, type Exchange, headersOf, type Request, targetOf } from "./exchange.ts";

/** How requests are sent. */
export interface HttpSenderOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** 0 for no limit. */
  readonly requestsPerSecond: number;
  /** Milliseconds to wait for an answer. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** Sends requests to one service. */
export interface HttpSender {
  /** Sends with the key and at the limited rate; waits and retries after a 429. */
  ask(request: Request): Promise<Exchange>;
  /** Sends at once and without the key; does not retry. */
  askWithoutKey(request: Request): Promise<Exchange>;
  close(): void;
}

const mostTries = 6;
const longestWait = 60_000;
const largestBody = 16 * 2 ** 20;

/** Prepares to send requests to a service; sends nothing yet. */
export function openHttpSender({ baseUrl, apiKey, requestsPerSecond, timeout, signal }: HttpSenderOptions): HttpSender {
  const agents = { http: new Agent({ keepAlive: true }), https: new TlsAgent({ keepAlive: true }) };
  const gap = requestsPerSecond > 0 ? 1000 / requestsPerSecond : 0;
  let nextSlot = 0;

  const waitForSlot = async (): Promise<void> => {
    const wait = Math.max(0, nextSlot - performance.now());
    nextSlot = Math.max(nextSlot, performance.now()) + gap;
    if (wait > 0) await sleep(wait, undefined, { signal });
  };

  const send = async (request: Request, keyed: boolean): Promise<Exchange> => {
    signal.throwIfAborted();
    const key = keyed && apiKey !== undefined && !("X-API-Key" in (request.headers ?? {})) ? { "X-API-Key": apiKey } : {};
    const headers = { ...headersOf(request), ...key };
    const url = new URL(baseUrl + targetOf(request));
    const call = (): Promise<Answer> => exchangeOnce(url, request, headers, agents, timeout, signal);
    let outcome: Answer | string;
    try {
      outcome = await call().catch((error: unknown) => {
        // The service may close a keep-alive connection at the moment it is reused; that is no answer to this request.
        if (error instanceof StaleConnection) return call();
        throw error;
      });
    } catch (error) {
      signal.throwIfAborted();
      outcome = error instanceof Error ? error.message : String(error);
    }
    return { request, keyed: "X-API-Key" in key, outcome };
  };

  const ask = async (request: Request): Promise<Exchange> => {
    for (let tries = 1; ; tries++) {
      await waitForSlot();
      const exchange = await send(request, true);
      const answer = answerOf(exchange);
      if (answer?.status !== 429 || tries === mostTries) return exchange;
      nextSlot = Math.max(nextSlot, performance.now() + waitBeforeRetry(tries, answer.retryAfter));
    }
  };

  return {
    ask,
    askWithoutKey: (request) => send(request, false),
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** Milliseconds: Retry-After in seconds or as a date, otherwise twice as long each time. */
function waitBeforeRetry(tries: number, retryAfter: string | undefined): number {
  const seconds = Number(retryAfter);
  const requested = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(retryAfter ?? "") - Date.now();
  const wait = retryAfter !== undefined && Number.isFinite(requested) ? Math.max(requested, 50) : 1000 * 2 ** (tries - 1);
  return Math.min(wait, longestWait);
}

class StaleConnection extends Error {
  override readonly name = "StaleConnection";
}

function exchangeOnce(
  url: URL,
  request: Request,
  headers: Record<string, string>,
  agents: { http: Agent; https: TlsAgent },
  timeout: number,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const content = contentOf(request);
    const length = content === undefined ? {} : { "content-length": String(Buffer.byteLength(content)) };
    const options = { method: request.method, headers: { ...headers, ...length }, signal };
    const call: ClientRequest =
      url.protocol === "https:"
        ? https(url, { ...options, agent: agents.https })
        : http(url, { ...options, agent: agents.http });
    const timer = setTimeout(() => call.destroy(new Error(`no answer within ${timeout / 1000} seconds`)), timeout);
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      act();
    };
    let incoming: IncomingMessage | undefined;
    call.once("response", (response) => {
      incoming = response;
      readAnswer(response).then(
        (answer) => settle(() => resolve(answer)),
        (error) => settle(() => reject(error)),
      );
    });
    call.on("error", (error: NodeJS.ErrnoException) => {
      // A service may answer before it has read the whole request; then the answer counts.
      if (incoming !== undefined && error.code !== undefined && /^(EPIPE|ECONNRESET)$/.test(error.code)) return;
      const isStale = call.reusedSocket && error.code === "ECONNRESET";
      settle(() => reject(isStale ? new StaleConnection(error.message) : error));
    });
    call.end(content);
  });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestBody) throw new Error(`an answer of more than ${largestBody} bytes`);
    chunks.push(chunk);
  }
  const parsed = parseJson(Buffer.concat(chunks));
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers["content-type"] ?? "",
    retryAfter: response.headers["retry-after"],
    ...("value" in parsed ? { body: parsed.value } : { body: undefined, problem: parsed.problem }),
  };
}
