/** Sends requests at a pace, and waits where the service asks to. */
import { Agent, type ClientRequest, request as http, type IncomingMessage } from "node:http";
import { request as https, Agent as TlsAgent } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, answerOf, contentOf, type Exchange, headersOf, type Request, targetOf } from "./exchange.ts";

/** How a service is spoken to. */
export interface WireOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** 0 for as fast as it answers. */
  readonly requestsPerSecond: number;
  /** Milliseconds after which an answer is no longer waited for. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** A way to a service. */
export interface Wire {
  /** Sends with the key, at the pace; asked to wait, it waits and asks again. */
  ask(request: Request): Promise<Exchange>;
  /** Sends at once and without the key, and takes the answer as it comes. */
  hurry(request: Request): Promise<Exchange>;
  close(): void;
}

const patience = { tries: 6, longestWait: 60_000, bodyLimit: 64 * 1024 * 1024 };

/** Opens a way to a service; nothing is sent yet. */
export function openWire({ baseUrl, apiKey, requestsPerSecond, timeout, signal }: WireOptions): Wire {
  const agents = { http: new Agent({ keepAlive: true }), https: new TlsAgent({ keepAlive: true }) };
  const gap = requestsPerSecond > 0 ? 1000 / requestsPerSecond : 0;
  let nextSlot = 0;

  const pause = async (): Promise<void> => {
    const wait = Math.max(0, nextSlot - performance.now());
    nextSlot = Math.max(nextSlot, performance.now()) + gap;
    if (wait > 0) await sleep(wait, undefined, { signal });
  };

  const send = async (request: Request, keyed: boolean): Promise<Exchange> => {
    signal.throwIfAborted();
    const key = keyed && apiKey !== undefined && !("X-API-Key" in (request.headers ?? {})) ? { "X-API-Key": apiKey } : {};
    const call = (): Promise<Answer> =>
      answered(new URL(baseUrl + targetOf(request)), request, { ...headersOf(request), ...key }, agents, timeout, signal);
    let outcome: Answer | string;
    try {
      outcome = await call().catch((error: unknown) => {
        // A kept connection that the service has just closed says nothing of this request.
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
      await pause();
      const exchange = await send(request, true);
      const answer = answerOf(exchange);
      if (answer?.status !== 429 || tries === patience.tries) return exchange;
      nextSlot = Math.max(nextSlot, performance.now() + waitBefore(tries, answer.retryAfter));
    }
  };

  return {
    ask,
    hurry: (request) => send(request, false),
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** As long as the service says, in seconds or until a date; longer each time where it does not say. */
function waitBefore(tries: number, retryAfter: string | undefined): number {
  const seconds = Number(retryAfter);
  const told = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(retryAfter ?? "") - Date.now();
  const wait = retryAfter !== undefined && Number.isFinite(told) ? Math.max(told, 50) : 1000 * 2 ** (tries - 1);
  return Math.min(wait, patience.longestWait);
}

class StaleConnection extends Error {
  override readonly name = "StaleConnection";
}

function answered(
  url: URL,
  request: Request,
  headers: Record<string, string>,
  agents: { http: Agent; https: TlsAgent },
  timeout: number,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const secure = url.protocol === "https:";
    const content = contentOf(request);
    const length = content === undefined ? {} : { "content-length": String(Buffer.byteLength(content)) };
    const options = { method: request.method, headers: { ...headers, ...length }, signal };
    const call: ClientRequest = secure
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
      read(response).then(
        (answer) => settle(() => resolve(answer)),
        (error) => settle(() => reject(error)),
      );
    });
    call.on("error", (error: NodeJS.ErrnoException) => {
      // A service may answer before it has read all; then the answer counts.
      if (incoming !== undefined && error.code !== undefined && /^(EPIPE|ECONNRESET)$/.test(error.code)) return;
      const stale = call.reusedSocket && error.code === "ECONNRESET";
      settle(() => reject(stale ? new StaleConnection(error.message) : error));
    });
    call.end(content);
  });
}

async function read(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > patience.bodyLimit) throw new Error(`an answer of more than ${patience.bodyLimit} bytes`);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers["content-type"] ?? "",
    retryAfter: response.headers["retry-after"],
    bytes,
    body: parsed(bytes),
  };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
