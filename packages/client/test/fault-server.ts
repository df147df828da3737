/** A server that fails in every way a server can, over real sockets, and records its requests. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { camelCase } from "../generate/operation-table.ts";
import type { ClientOptions } from "../src/index.ts";

export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface FaultServer extends AsyncDisposable {
  url: string;
  /** Requests, oldest first. */
  seen: Seen[];
  /** Responses that the client cut off before their end. */
  cutOff: number;
}

/** The input of a documented request, as methods take it. */
export function documentedInput({ query, body }: { query?: object; body?: object | undefined } = {}): object {
  return Object.fromEntries(Object.entries({ ...query, ...body }).map(([name, value]) => [camelCase(name, name), value]));
}

/** An account that no chain has, in raw form. */
export const rawAddress: string = `0:${"ab".repeat(32)}`;

export const success = { ok: true, result: { "@type": "blocks.masterchainInfo", last: { seqno: 7 } } };

/** Options of a client that gives up early. */
export const shortTimeouts: Omit<ClientOptions, "baseUrl"> = {
  rateLimit: false,
  timeoutMs: 150,
  retry: { maxRetries: 1, baseDelayMs: 1, maxDelayMs: 2 },
};

/** The same for a client that waits, so that a busy machine ends no call. */
export const longTimeouts: typeof shortTimeouts = { ...shortTimeouts, timeoutMs: 60_000 };

/** Answers each request with the next response, and repeats the last one. */
export async function startFaultServer(...replies: [Reply, ...Reply[]]): Promise<FaultServer> {
  const faulty: Omit<FaultServer, "url" | typeof Symbol.asyncDispose> = { seen: [], cutOff: 0 };
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      body += chunk;
    });
    response.on("close", () => {
      if (!response.writableFinished) faulty.cutOff++;
    });
    request.on("end", () => {
      const reply = replies[Math.min(faulty.seen.length, replies.length - 1)];
      faulty.seen.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
      reply?.(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(faulty, {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve).closeAllConnections());
    },
  });
}

/** The address of a port without a listener. */
export async function closedUrl(): Promise<string> {
  const server = await startFaultServer(hang);
  await server[Symbol.asyncDispose]();
  return server.url;
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

export const text =
  (status: number, body: string, type = "text/html"): Reply =>
  (response) =>
    response.writeHead(status, { "content-type": type }).end(body);

export const failure = (status: number, error: unknown, headers?: Record<string, string>): Reply =>
  json(status, { ok: false, error, code: status }, headers);

export const succeed: Reply = json(200, success);

export const hang: Reply = () => {};

export const resetBeforeHeaders: Reply = (response) => response.socket?.resetAndDestroy();

/** Sends the headers and half of a success. */
const half = (response: ServerResponse) => {
  const whole = JSON.stringify(success);
  response.writeHead(200, { "content-type": "application/json", "content-length": whole.length });
  response.write(whole.slice(0, whole.length / 2));
};

export const resetInBody: Reply = (response) => {
  half(response);
  setTimeout(() => response.socket?.resetAndDestroy(), 20);
};

export const stallInBody: Reply = half;

/** Sends a byte from time to time and never ends. */
export const drip: Reply = (response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 10);
  response.on("close", () => clearInterval(timer));
};

export const gzip =
  (body: Buffer = gzipSync(JSON.stringify(success))): Reply =>
  (response) =>
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(body);

/** The error of a promise. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`expected a failure, got ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}
