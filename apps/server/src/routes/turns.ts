/** Begins pipelined requests one at a time, so that a connection holds one answer in memory, whether its client reads or not. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly begin: () => void;
}

interface Connection {
  /** The request that is being answered. */
  current: Exchange | undefined;
  readonly waiting: Exchange[];
  /** Bytes received when the last answer was sent: more are the beginning of a request. */
  bytesRead: number;
  /** Ends the connection after all answers. */
  end?: () => void;
}

/**
 * Requests of a connection that wait. Those of one packet of 64 kB are parsed before the connection can be paused: it takes requests of
 * 130 bytes and less to exceed this, which no client sends that uses the answers.
 */
const maxWaiting = 500;
/** Milliseconds before each status 102: clients accept a few. */
const probeDelays = [0, 100, 1_000];

/** The turns of the requests of each connection. */
export class Turns {
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #open = new Set<Socket>();

  /** Adds a connection before its first request, for `closeIdle`. */
  add(socket: Socket): void {
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
  }

  /**
   * Calls `begin` when all earlier answers of the connection are sent. The connection is not read while a request waits, and closed if
   * too many do.
   */
  take(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const { socket } = request;
    const connection = this.#connectionOf(socket);
    const exchange = { request, response, begin };
    if (connection.current === undefined) {
      start(socket, connection, exchange);
    } else if (connection.waiting.length < maxWaiting) {
      connection.waiting.push(exchange);
      socket.pause();
    } else {
      connection.waiting.length = 0;
      socket.destroy();
    }
  }

  /**
   * Calls `end` when the answers to all complete requests are sent, for a request whose rest cannot be read, and which gets no other
   * answer.
   *
   * @param end - Receives the response to that request if it has begun.
   */
  end(socket: Socket, end: (begun: ServerResponse | undefined) => void): void {
    const { current, waiting } = this.#connectionOf(socket);
    if (waiting.at(-1)?.request.complete === false) waiting.pop();
    if (current?.request.complete === true) this.#connectionOf(socket).end = () => end(undefined);
    else if (current?.response.headersSent === true) socket.destroy();
    else end(current?.response);
  }

  /** Closes the connections without a request. Node's own `closeIdleConnections` also closes those whose last answer is not sent yet. */
  closeIdle(): void {
    for (const socket of this.#open) {
      const { current, bytesRead } = this.#connectionOf(socket);
      if (current === undefined && socket.bytesRead === bytesRead) socket.destroy();
    }
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
 * Finds out whether a client that has ended its side of the connection still reads. One that has closed it answers the first status 102
 * with a reset, with which the next one fails; others ignore them.
 */
async function probe(exchange: Exchange | undefined): Promise<void> {
  if (exchange?.request.httpVersion !== "1.1") return;
  for (const delay of probeDelays) {
    await sleep(delay, undefined, { ref: false });
    if (exchange.response.headersSent || exchange.response.destroyed) return;
    exchange.response.writeProcessing();
  }
}

function start(socket: Socket, connection: Connection, exchange: Exchange): void {
  connection.current = exchange;
  exchange.response.once("close", () => startNext(socket, connection));
  exchange.begin();
}

function startNext(socket: Socket, connection: Connection): void {
  const { waiting } = connection;
  const next = waiting.shift();
  connection.current = next;
  connection.bytesRead = socket.bytesRead;
  if (!socket.writable) waiting.length = 0;
  else if (next === undefined) connection.end?.();
  else {
    if (waiting.length === 0) socket.resume();
    // Other connections have their turn first.
    setImmediate(() => start(socket, connection, next));
  }
}
