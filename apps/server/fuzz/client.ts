/**
 * An HTTP client on raw sockets, since a client library would correct or refuse invalid requests. Complete requests share a connection;
 * every other one has its own.
 */
import { connect, type Socket } from "node:net";
import type { Attack } from "./attack.ts";

/** A response. */
export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** A response and its length in bytes. */
interface Read {
  readonly response: HttpResponse;
  readonly length: number;
}

/** The result of an attack. */
interface Outcome {
  readonly responses: readonly HttpResponse[];
  readonly isClosed: boolean;
}

/** Sends one request after another. */
export interface Client {
  /** @throws Error if no response arrives in time, or if it is not HTTP. */
  send(attack: Attack): Promise<Outcome>;
  close(): void;
}

/** Milliseconds for the response to a complete request; longer than the service waits for the rest of an incomplete one. */
const responseTimeout = 30_000;
/** Milliseconds for a response to an incomplete request, before the client ends its side. */
const earlyTimeout = 120;

interface Line {
  readonly socket: Socket;
  bytes: Buffer;
  isClosed: boolean;
  /** Called when bytes arrive or the connection closes. */
  wake: () => void;
}

/** Creates a client. */
export function createClient(port: number): Client {
  let kept: Line | undefined;
  return {
    async send(attack) {
      if (!attack.isComplete) return sendAlone(await open(port), attack);
      // The service may close a connection after a response.
      if (kept === undefined || kept.isClosed || !kept.socket.writable) kept = await open(port);
      const line = kept;
      if (line.bytes.length > 0) throw new Error(`bytes after the response: ${line.bytes.toString("latin1", 0, 200)}`);
      write(line, attack);
      const responses = await responsesOn(line, 1, attack.method === "HEAD", responseTimeout);
      if (responses.length === 0)
        throw new Error(line.isClosed ? "the connection ended without a response" : "no response came");
      if (responses[0]?.headers.get("connection") === "close") {
        line.socket.destroy();
        kept = undefined;
      }
      return { responses, isClosed: line.isClosed };
    },
    close: () => void kept?.socket.destroy(),
  };
}

async function sendAlone(line: Line, attack: Attack): Promise<Outcome> {
  const isHead = attack.method === "HEAD";
  write(line, attack);
  const early = await responsesOn(line, 1, isHead, earlyTimeout);
  line.socket.end();
  const late = await responsesOn(line, Number.POSITIVE_INFINITY, isHead, responseTimeout);
  line.socket.destroy();
  if (!line.isClosed) throw new Error("the connection stayed open after its end");
  return { responses: [...early, ...late], isClosed: true };
}

function open(port: number): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const line: Line = { socket, bytes: Buffer.alloc(0), isClosed: false, wake: () => {} };
    socket.setNoDelay(true);
    socket.on("data", (chunk) => {
      line.bytes = Buffer.concat([line.bytes, chunk]);
      line.wake();
    });
    const closed = (): void => {
      line.isClosed = true;
      line.wake();
    };
    socket.on("end", closed).on("close", closed);
    socket.once("connect", () => resolve(line));
    // The service may reset a connection with an invalid request.
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error);
    });
  });
}

function write({ socket }: Line, { pieces }: Attack): void {
  const [first, ...rest] = pieces;
  if (first !== undefined) socket.write(first);
  // Later, so that the pieces arrive separately.
  setImmediate(() => {
    for (const piece of rest) if (piece.length > 0 && socket.writable) socket.write(piece);
  });
}

/** Reads up to `max` responses, until the connection closes or the time is over. */
async function responsesOn(line: Line, max: number, isHead: boolean, timeout: number): Promise<HttpResponse[]> {
  const responses: HttpResponse[] = [];
  const end = performance.now() + timeout;
  while (responses.length < max) {
    const read = readAnswer(line.bytes, isHead);
    if (read !== undefined) {
      line.bytes = line.bytes.subarray(read.length);
      if (read.response.status >= 200) responses.push(read.response);
      continue;
    }
    const left = end - performance.now();
    if (line.isClosed || left <= 0) break;
    await activity(line, left);
  }
  return responses;
}

function activity(line: Line, timeout: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeout);
    line.wake = () => {
      clearTimeout(timer);
      line.wake = () => {};
      resolve();
    };
  });
}

const headEnd = Buffer.from("\r\n\r\n");

/** Reads a response from the start of some bytes; undefined if it is incomplete. @throws Error if they are not an HTTP response. */
function readAnswer(bytes: Buffer, isHead: boolean): Read | undefined {
  const end = bytes.indexOf(headEnd);
  if (end === -1) return undefined;
  const [first = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) [\w' -]*$/.exec(first)?.[1]);
  if (Number.isNaN(status)) throw new Error(`the status line is ${JSON.stringify(first)}`);
  const headers = new Map(lines.map(parseHeader));
  const start = end + headEnd.length;
  const response = (body: Buffer, length: number): Read => ({ response: { status, headers, body }, length });
  if (isHead || status < 200 || status === 204 || status === 304) return response(Buffer.alloc(0), start);
  if (headers.get("transfer-encoding") === "chunked") {
    const read = readChunks(bytes, start);
    return read === undefined ? undefined : response(read.body, read.end);
  }
  const length = Number(headers.get("content-length"));
  if (!Number.isInteger(length)) throw new Error("the response has no length");
  return bytes.length < start + length ? undefined : response(bytes.subarray(start, start + length), start + length);
}

function parseHeader(line: string): [string, string] {
  const [, name, value] = /^([\w-]+): ?(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error(`a header is ${JSON.stringify(line)}`);
  return [name.toLowerCase(), value];
}

function readChunks(bytes: Buffer, start: number): { body: Buffer; end: number } | undefined {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    if (Number.isNaN(size)) throw new Error("a chunk has no length");
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    if (size === 0) return { body: Buffer.concat(parts), end: next };
    at = next;
  }
}
