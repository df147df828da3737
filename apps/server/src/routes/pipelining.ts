/** Handles the pipelined requests of a connection one at a time, so that a connection holds one response in memory, also if its client does not read. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly begin: () => void;
}

interface Connection {
  /** The request that is being handled. */
  current: Exchange | undefined;
  readonly waiting: Exchange[];
  /** Bytes received when the last response was sent: more are the beginning of a request. */
  bytesRead: number;
  /** Ends the connection after all responses. */
  end?: () => void;
}

/**
 * Requests that wait on a connection. Those of one packet of 64 kB are parsed before the connection can be paused: only requests of 130 bytes
 * and less can exceed this, and no client that reads its responses sends so many.
 */
const maxWaiting = 500;
/** Requests that wait on all connections of a process. Each takes some four kilobytes. Above it, one may wait on each connection. */
const maxWaitingInAll = 5_000;
/** Milliseconds before each status 102: clients accept a few. */
const probeDelays = [0, 100, 1_000];

/** The requests of each connection, in their order. */
export class PipelinedRequests {
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #open = new Set<Socket>();
  readonly #onTooMany: () => void;
  #waiting = 0;

  /** @param onTooMany - Called when a connection is closed because too many requests wait. */
  constructor(onTooMany: () => void) {
    this.#onTooMany = onTooMany;
  }

  /** Adds a connection before its first request, for `closeIdle`. */
  add(socket: Socket): void {
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
  }

  /**
   * Calls `begin` when all earlier responses of the connection are sent. The connection is not read while a request waits, and closed if
   * too many do.
   */
  enqueue(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const { socket } = request;
    // Parsed from the same packet as one that was too many.
    if (socket.destroyed) return;
    const connection = this.#connectionOf(socket);
    const { current, waiting } = connection;
    const exchange = { request, response, begin };
    if (current === undefined) {
      this.#start(socket, connection, exchange);
    } else if (waiting.length < (this.#waiting < maxWaitingInAll ? maxWaiting : 1)) {
      waiting.push(exchange);
      this.#waiting += 1;
      socket.pause();
    } else {
      this.#forget(connection);
      socket.destroy();
      this.#onTooMany();
    }
  }

  /**
   * Calls `end` when the responses to all complete requests are sent. For a request that cannot be read to its end, and gets no other
   * response.
   *
   * @param end - Receives the response to that request if it has begun.
   */
  endAfterResponses(socket: Socket, end: (begun: ServerResponse | undefined) => void): void {
    const connection = this.#connectionOf(socket);
    const { current, waiting } = connection;
    if (waiting.at(-1)?.request.complete === false) {
      waiting.pop();
      this.#waiting -= 1;
    }
    if (current?.request.complete === true) connection.end = () => end(undefined);
    else if (current?.response.headersSent === true) socket.destroy();
    else end(current?.response);
  }

  /** Closes the connections without a request. Node's own `closeIdleConnections` also closes those whose last response is not sent yet. */
  closeIdle(): void {
    for (const socket of this.#open) {
      const { current, bytesRead } = this.#connectionOf(socket);
      if (current === undefined && socket.bytesRead === bytesRead) socket.destroy();
    }
  }

  #start(socket: Socket, connection: Connection, exchange: Exchange): void {
    connection.current = exchange;
    exchange.response.once("close", () => this.#startNext(socket, connection));
    exchange.begin();
  }

  #startNext(socket: Socket, connection: Connection): void {
    const { waiting } = connection;
    const next = waiting.shift();
    if (next !== undefined) this.#waiting -= 1;
    connection.current = next;
    connection.bytesRead = socket.bytesRead;
    if (!socket.writable) this.#forget(connection);
    else if (next === undefined) connection.end?.();
    else {
      if (waiting.length === 0) socket.resume();
      // Requests of other connections come first.
      setImmediate(() => this.#start(socket, connection, next));
    }
  }

  /** Forgets the requests that wait on a connection. */
  #forget({ waiting }: Connection): void {
    this.#waiting -= waiting.length;
    waiting.length = 0;
  }

  #connectionOf(socket: Socket): Connection {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    const connection: Connection = { current: undefined, waiting: [], bytesRead: 0 };
    this.#connections.set(socket, connection);
    socket.once("end", () => void probe(connection.current));
    // Reading the body of a request resumes its socket.
    socket.on("resume", () => {
      if (connection.waiting.length > 0) socket.pause();
    });
    return connection;
  }
}

/**
 * Finds out whether a client that has ended its side of the connection still reads. A closed one answers a status 102 with a reset, which only
 * the next write notices, so that it takes two at least; others ignore them.
 */
async function probe(exchange: Exchange | undefined): Promise<void> {
  if (exchange?.request.httpVersion !== "1.1") return;
  for (const delay of probeDelays) {
    await sleep(delay, undefined, { ref: false });
    if (exchange.response.headersSent || exchange.response.destroyed) return;
    exchange.response.writeProcessing();
  }
}
