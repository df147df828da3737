/** Handles the pipelined requests of a connection one at a time, so that a connection holds few requests and one response in memory, also if its client does not read. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly begin: Begin;
}

type Begin = (request: IncomingMessage, response: ServerResponse) => void;

interface Connection {
  /** The request that is being handled. */
  current: Exchange | undefined;
  readonly waiting: Exchange[];
  /** Whether a request has arrived before the response to another one. */
  isPipelined: boolean;
  /** Starts the next request at the end of the current one. */
  readonly startNext: () => void;
  /** Pauses the connection while a request waits. */
  readonly pauseAgain: () => void;
  /** Bytes received when the last response was sent: more are the beginning of a request. */
  bytesRead: number;
  /** Whether the client has ended its side. */
  isHalf: boolean;
  /** Ends the connection after all responses. */
  end?: () => void;
}

/** Bytes of a piece that the parser receives, at least: a piece has one request with usual headers, and few of the shortest ones. */
const pieceBytes = 64;
const headEnd = "\r\n\r\n";
/** Ticks of the event loop between two requests that waited, at most, while connections are accepted. */
const ticksBetweenStarts = 16;
/** Milliseconds before each status 102: clients accept a few. */
const probeDelays = [0, 100, 1_000];

/** The requests of each connection, in their order. */
export class PipelinedRequests {
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #open = new Set<Socket>();
  /** Starts of requests that waited for another one of their connection. */
  readonly #starts: (() => void)[] = [];
  /** Whether a connection was accepted since the last tick, and the ticks since the last start. */
  #isAccepting = false;
  #ticks = 0;

  /** Adds a connection before its first request. */
  add(socket: Socket): void {
    const connection = this.#connectionOf(socket);
    const onEnd = (): void => {
      connection.isHalf = true;
      void probe(connection.current);
    };
    parseInPieces(socket, connection.pauseAgain, onEnd);
    this.#open.add(socket);
    this.#isAccepting = true;
    socket.once("close", () => this.#open.delete(socket));
  }

  /** Calls `begin` when all earlier responses of the connection are sent. The connection is not read while a request waits. */
  enqueue(request: IncomingMessage, response: ServerResponse, begin: Begin): void {
    const { socket } = request;
    // Parsed from the same piece as one that ended the connection.
    if (socket.destroyed) return;
    const connection = this.#connectionOf(socket);
    const { current, waiting } = connection;
    const exchange = { request, response, begin };
    if (current === undefined) {
      this.#start(connection, exchange);
    } else {
      waiting.push(exchange);
      socket.pause();
      // From now on, pieces may wait too.
      if (!connection.isPipelined) socket.on("data", connection.pauseAgain);
      connection.isPipelined = true;
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
    if (waiting.at(-1)?.request.complete === false) waiting.pop();
    if (current?.request.complete === true) connection.end = () => end(undefined);
    else if (current?.response.headersSent === true) socket.destroy();
    else end(current?.response);
  }

  /** Closes the connections without a request. Node's own `closeIdleConnections` also closes those whose last response is not sent yet. */
  closeIdle(): void {
    for (const socket of this.#open) {
      const { current, bytesRead } = this.#connectionOf(socket);
      if (current === undefined && socket.bytesRead === bytesRead && socket.readableLength === 0) socket.destroy();
    }
  }

  #start(connection: Connection, exchange: Exchange): void {
    connection.current = exchange;
    exchange.response.on("close", connection.startNext);
    if (connection.isHalf) void probe(exchange);
    exchange.begin(exchange.request, exchange.response);
  }

  #startNext(socket: Socket, connection: Connection): void {
    const { waiting } = connection;
    const next = waiting.shift();
    connection.current = next;
    connection.bytesRead = socket.bytesRead;
    if (!socket.writable) waiting.length = 0;
    else if (next === undefined) connection.end?.();
    else {
      if (waiting.length === 0) socket.resume();
      this.#starts.push(() => this.#start(connection, next));
      if (this.#starts.length === 1) setImmediate(this.#startOne);
    }
  }

  /**
   * Starts one request in a tick of the event loop, and in few ticks while connections are accepted: Node accepts one in a tick, so that a new
   * caller waits for as many ticks as there are connections before it.
   */
  readonly #startOne = (): void => {
    const isTaken = !this.#isAccepting || ++this.#ticks === ticksBetweenStarts;
    this.#isAccepting = false;
    const start = isTaken ? this.#starts.shift() : undefined;
    if (isTaken) this.#ticks = 0;
    if (this.#starts.length > 0) setImmediate(this.#startOne);
    start?.();
  };

  #connectionOf(socket: Socket): Connection {
    const known = this.#connections.get(socket);
    if (known !== undefined) return known;
    const waiting: Exchange[] = [];
    const pauseAgain = (): void => {
      if (waiting.length > 0) socket.pause();
    };
    const startNext = (): void => this.#startNext(socket, connection);
    const connection: Connection = {
      current: undefined,
      waiting,
      isPipelined: false,
      startNext,
      pauseAgain,
      bytesRead: 0,
      isHalf: false,
    };
    this.#connections.set(socket, connection);
    // The parser resumes its socket after each request, and so does reading the body of one. It does not read the file descriptor itself once
    // there has been another listener for data.
    socket.on("data", pauseAgain).off("data", pauseAgain).on("resume", pauseAgain);
    return connection;
  }
}

/**
 * Gives the parser what a connection receives in pieces that end with the headers of a request. It parses all that it is given, also when the
 * connection is paused: each request in a packet of thousands would take memory, and time when the connection ends. A paused connection
 * receives up to its buffer's size, so that its end is noticed.
 *
 * @param onEnd - Called when the client has ended its side, which may be long before all that it sent is parsed.
 */
function parseInPieces(socket: Socket, pauseAgain: () => void, onEnd: () => void): void {
  const push = socket.push.bind(socket);
  socket.push = (chunk: Buffer | null): boolean => {
    if (chunk === null) {
      onEnd();
      return push(chunk);
    }
    let isWanted = true;
    for (let from = 0; from < chunk.length; ) {
      const end = chunk.indexOf(headEnd, from + pieceBytes);
      const to = end < 0 ? chunk.length : end + headEnd.length;
      isWanted = push(to - from === chunk.length ? chunk : chunk.subarray(from, to));
      pauseAgain();
      from = to;
    }
    return isWanted;
  };
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
