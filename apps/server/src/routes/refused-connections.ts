/** Closes connections after a response to an incomplete request. */
import type { Socket } from "node:net";

/** Milliseconds before the response, to slow down clients that send such requests one after another. */
const responseDelay = 50;
/** Enough for clients that send the whole request before they read the response. */
const maxBytes = 4 * 2 ** 20;
const maxMilliseconds = 2_000;
/** Milliseconds between reads of discarded data, so that a flood takes little time from other requests. */
const readInterval = 20;
const connections = 32;

/** A response that does not go through Fastify. */
export interface RawResponse {
  readonly status: number;
  /** Head and body, for the socket. */
  readonly bytes: string;
}

/** Connections with a complete response that stay open, since a client may not see the response if the connection closes while it sends. */
export class RefusedConnections {
  readonly #sockets = new Set<Socket>();
  readonly #refusedWith = new WeakMap<Socket, number>();

  /**
   * Sends the error response to a request that cannot be read, discards further data, and closes the connection.
   *
   * @param refusal - Undefined if the request has received another response meanwhile.
   */
  refuse(socket: Socket, refusal: () => RawResponse | undefined): void {
    socket.pause();
    setTimeout(() => {
      const { status, bytes } = refusal() ?? { bytes: "" };
      if (status !== undefined) this.#refusedWith.set(socket, status);
      this.#end(socket, bytes);
    }, responseDelay);
  }

  /** The status of the error response to the last request of a connection. A later response of its route is not sent. */
  refusedWith(socket: Socket): number | undefined {
    return this.#refusedWith.get(socket);
  }

  /** Does the same with the next response of the connection. */
  refuseWithResponse(socket: Socket): void {
    socket.cork();
    setTimeout(() => socket.uncork(), responseDelay);
    // Node would close the connection at once, since the response has `connection: close`.
    socket.destroySoon = () => this.#end(socket, "");
  }

  #end(socket: Socket, bytes: string): void {
    if (socket.destroyed) return;
    const [oldest] = this.#sockets;
    if (this.#sockets.size >= connections) oldest?.destroy();
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
