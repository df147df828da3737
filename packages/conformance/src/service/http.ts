/** Sends requests to the base URL of a service at a limited rate, through the environment's proxy, and waits and retries after a 429. */
import { Agent, type ClientRequest, request as http, type IncomingMessage } from "node:http";
import { request as https, Agent as TlsAgent } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { HttpProxyAgent } from "http-proxy-agent";
import { HttpsProxyAgent } from "https-proxy-agent";
import { getProxyForUrl } from "proxy-from-env";
import { parseJson } from "../json.ts";
import {
  contentOf,
  type Exchange,
  type Headers,
  type HttpResponse,
  headersOf,
  type Request,
  responseOf,
  targetOf,
} from "./exchange.ts";

/**
 * Checks and normalises a base URL: without a trailing slash, so that paths can be appended.
 *
 * @throws RangeError, with one line without secrets, if it is not an http or https URL, or has credentials, a query or a fragment.
 */
export function parseBaseUrl(text: string): string {
  const problem = problemIn(text);
  if (problem === undefined) return new URL(text).href.replace(/\/+$/, "");
  // The text may contain a password or a key, which must not be repeated.
  const shown = /[@?#]/.test(text) ? "the given URL" : JSON.stringify(text);
  throw new RangeError(`${shown} ${problem}; accepted: http:// or https://, a host and optionally a path`);
}

/** Whether it leads to this machine. */
export function isLoopback(baseUrl: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(baseUrl).hostname);
}

function problemIn(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return "is not a base URL";
  const { username, password } = new URL(text);
  if (username !== "" || password !== "") return "has a user name or a password; a key goes with --api-key or apiKey";
  if (text.includes("?")) return "has a query";
  return text.includes("#") ? "has a fragment" : undefined;
}

/** Options of the HTTP sender. */
interface HttpSenderOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** Sent with every request. */
  readonly headers: Headers;
  /** 0 for no limit. */
  readonly requestsPerSecond: number;
  /** Milliseconds to wait for a response. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** Sends requests to one service. */
export interface HttpSender {
  /** Sends with the key and at the limited rate; waits and retries after a 429. */
  send(request: Request): Promise<Exchange>;
  /** Sends at once and without the key; does not retry. */
  sendWithoutKey(request: Request): Promise<Exchange>;
  close(): void;
}

const mostTries = 6;
const longestWait = 60_000;
const largestBody = 16 * 2 ** 20;

/** Prepares to send requests to a service; sends nothing yet. */
export function openHttpSender(options: HttpSenderOptions): HttpSender {
  const { baseUrl, apiKey, requestsPerSecond, timeout, signal } = options;
  const agent = agentFor(baseUrl);
  const gap = requestsPerSecond > 0 ? 1000 / requestsPerSecond : 0;
  let nextSlot = 0;

  const waitForSlot = async (): Promise<void> => {
    const wait = Math.max(0, nextSlot - performance.now());
    nextSlot = Math.max(nextSlot, performance.now()) + gap;
    if (wait > 0) await sleep(wait, undefined, { signal });
  };

  const sendOnce = async (request: Request, keyed: boolean): Promise<Exchange> => {
    signal.throwIfAborted();
    const key = keyed && apiKey !== undefined && !("X-API-Key" in (request.headers ?? {})) ? { "X-API-Key": apiKey } : {};
    const headers = { ...options.headers, ...headersOf(request), ...key };
    const url = new URL(baseUrl + targetOf(request));
    let outcome: HttpResponse | string;
    try {
      outcome = await exchangeOnce(url, request, headers, agent, timeout, signal);
    } catch (error) {
      signal.throwIfAborted();
      outcome = error instanceof Error ? error.message : String(error);
    }
    return { request, secrets: [...Object.keys(key), ...Object.keys(options.headers)], outcome };
  };

  const send = async (request: Request): Promise<Exchange> => {
    for (let tries = 1; ; tries++) {
      await waitForSlot();
      const exchange = await sendOnce(request, true);
      const response = responseOf(exchange);
      if (response?.status !== 429 || tries === mostTries) return exchange;
      nextSlot = Math.max(nextSlot, performance.now() + waitBeforeRetry(tries, response));
    }
  };

  return {
    send,
    sendWithoutKey: (request) => sendOnce(request, false),
    close: () => agent.destroy(),
  };
}

/** The proxy that `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` name for a URL; none for this machine. */
export function proxyFor(baseUrl: string): string | undefined {
  return isLoopback(baseUrl) ? undefined : getProxyForUrl(baseUrl) || undefined;
}

function agentFor(baseUrl: string): Agent {
  const proxy = proxyFor(baseUrl);
  const isTls = baseUrl.startsWith("https:");
  if (proxy === undefined) return new (isTls ? TlsAgent : Agent)({ keepAlive: true });
  return new (isTls ? HttpsProxyAgent : HttpProxyAgent)(proxy, { keepAlive: true });
}

/** Milliseconds: Retry-After in seconds or as a date, by the clock of the service, otherwise twice as long each time. */
function waitBeforeRetry(tries: number, { retryAfter, date }: HttpResponse): number {
  const seconds = Number(retryAfter);
  const requested = Number.isFinite(seconds)
    ? seconds * 1000
    : Date.parse(retryAfter ?? "") - (Date.parse(date ?? "") || Date.now());
  const wait = retryAfter !== undefined && Number.isFinite(requested) ? Math.max(requested, 50) : 1000 * 2 ** (tries - 1);
  return Math.min(wait, longestWait);
}

function exchangeOnce(
  url: URL,
  request: Request,
  headers: Record<string, string>,
  agent: Agent,
  timeout: number,
  signal: AbortSignal,
  isRetry = false,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const content = contentOf(request);
    const length = content === undefined ? {} : { "content-length": String(Buffer.byteLength(content)) };
    const options = { method: request.method, headers: { ...headers, ...length }, signal, agent };
    const call: ClientRequest = url.protocol === "https:" ? https(url, options) : http(url, options);
    const timer = setTimeout(() => call.destroy(new Error(`no response within ${timeout / 1000} seconds`)), timeout);
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      act();
    };
    let incoming: IncomingMessage | undefined;
    call.once("response", (response) => {
      incoming = response;
      readResponse(response).then(
        (response) => settle(() => resolve(response)),
        (error) => settle(() => reject(error)),
      );
    });
    call.on("error", (error: NodeJS.ErrnoException) => {
      // A service may respond before it has read the whole request; then its response counts.
      if (incoming !== undefined && error.code !== undefined && /^(EPIPE|ECONNRESET)$/.test(error.code)) return;
      // The service may close a keep-alive connection at the moment it is reused; that is no response to the request.
      const isStale = !isRetry && call.reusedSocket && error.code === "ECONNRESET";
      settle(() => (isStale ? resolve(exchangeOnce(url, request, headers, agent, timeout, signal, true)) : reject(error)));
    });
    call.end(content);
  });
}

async function readResponse(response: IncomingMessage): Promise<HttpResponse> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largestBody) throw new Error(`a response of more than ${largestBody} bytes`);
    chunks.push(chunk);
  }
  const parsed = parseJson(Buffer.concat(chunks));
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers["content-type"] ?? "",
    retryAfter: response.headers["retry-after"],
    date: response.headers.date,
    ...("value" in parsed ? { body: parsed.value } : { body: undefined, problem: parsed.problem }),
  };
}
