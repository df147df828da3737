/** Closes connections whose request was refused before it was read. */
import type { Socket } from "node:net";

/** Milliseconds before the answer, so that a client that sends such requests one after another sends few of them. */
const answerDelay = 50;
/** Enough for clients that read the answer only after they have sent the whole request. */
const maxBytes = 4 * 2 ** 20;
const maxMilliseconds = 2_000;
/** How often data that has arrived is discarded, so that a flood takes little time from other requests. */
const readInterval = 20;
const maxConnections = 32;

/** An answer that does not go through Fastify. */
export interface RawAnswer {
  readonly status: number;
  /** Head and body, for the socket. */
  readonly bytes: string;
}

/** Connections that are answered and not closed yet: a client whose connection is closed while it sends sees no answer. */
export class DrainingConnections {
  readonly #sockets = new Set<Socket>();
  readonly #refusedWith = new WeakMap<Socket, number>();

  /**
   * Sends the refusal of a request that cannot be read, discards what still arrives, and closes the connection.
   *
   * @param refusal - Undefined if the request has got another answer meanwhile.
   */
  refuse(socket: Socket, refusal: () => RawAnswer | undefined): void {
    socket.pause();
    setTimeout(() => {
      const { status, bytes } = refusal() ?? { bytes: "" };
      if (status !== undefined) this.#refusedWith.set(socket, status);
      this.#end(socket, bytes);
    }, answerDelay);
  }

  /** The status with which the last request of a connection was refused, instead of what its route answers later. */
  refusedWith(socket: Socket): number | undefined {
    return this.#refusedWith.get(socket);
  }

  /** Does the same with the next answer of the connection. */
  refuseByAnswer(socket: Socket): void {
    socket.cork();
    setTimeout(() => socket.uncork(), answerDelay);
    // Node would close the connection, since the answer has `connection: close`.
    socket.destroySoon = () => this.#end(socket, "");
  }

  #end(socket: Socket, bytes: string): void {
    if (socket.destroyed) return;
    const [oldest] = this.#sockets;
    if (this.#sockets.size >= maxConnections) oldest?.destroy();
    this.#sockets.add(socket);
    socket.end(bytes);
    const limit = socket.bytesRead + maxBytes;
    const pauseSoon = (): unknown => setImmediate(() => socket.pause());
    socket.pause();
    // Node resumes the socket to discard the rest of a body.
    pauseSoon();
    const reading = setInterval(() => {
      if (socket.bytesRead > limit) socket.destroy();
      else {
        socket.resume();
        pauseSoon();
      }
    }, readInterval).unref();
    const timeout = setTimeout(() => socket.destroy(), maxMilliseconds).unref();
    socket.once("close", () => {
      clearInterval(reading);
      clearTimeout(timeout);
      this.#sockets.delete(socket);
    });
  }
}
