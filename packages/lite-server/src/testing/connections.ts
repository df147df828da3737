/** Lite servers that break connections. */
import type { Socket } from "node:net";
import type { LiteBehaviour } from "../behaviour.ts";

/** Bytes of the server's confirmation of the handshake: an empty frame. */
const CONFIRMATION_BYTES = 68;

/** The port is closed. */
export function closedPort(): LiteBehaviour {
  return { isListening: false };
}

/** Accepts connections, and neither reads nor writes. */
export function silentConnection(): LiteBehaviour {
  return { connection: (client) => void client.pause() };
}

/**
 * Resets each connection after some bytes of the server.
 *
 * @param afterBytes - Default: after the handshake; 0: as soon as the client connects.
 */
export function resets(afterBytes: number = CONFIRMATION_BYTES): LiteBehaviour {
  return cutAfter(afterBytes, (client) => client.resetAndDestroy());
}

/** Closes its half of each connection after some bytes; default: after the handshake. Goes on reading. */
export function halfCloses(afterBytes: number = CONFIRMATION_BYTES): LiteBehaviour {
  return cutAfter(afterBytes, (client) => client.end());
}

/** Sends no more after some bytes; by default it stops within the first frame after the handshake. */
export function stalls(afterBytes: number = CONFIRMATION_BYTES + 50): LiteBehaviour {
  return cutAfter(afterBytes, () => undefined);
}

/**
 * Sends at a limited rate.
 *
 * @example
 * ```ts
 * const server = await startFaultyLiteServer({ chain, key, behaviours: [trickles(1)] });
 * ```
 */
export function trickles(bytesPerSecond: number): LiteBehaviour {
  return {
    connection: (client, connectServer) => {
      const server = relayed(client, connectServer());
      const waiting: Uint8Array[] = [];
      server.on("data", (chunk: Uint8Array) => waiting.push(chunk));
      const timer = setInterval(() => {
        const [first] = waiting;
        if (!first) return;
        client.write(first.subarray(0, 1));
        if (first.length === 1) waiting.shift();
        else waiting[0] = first.subarray(1);
      }, 1000 / bytesPerSecond);
      client.on("close", () => clearInterval(timer));
    },
  };
}

function cutAfter(bytes: number, cut: (client: Socket) => void): LiteBehaviour {
  return {
    connection: (client, connectServer) => {
      if (bytes === 0) return cut(client);
      const server = relayed(client, connectServer());
      let left = bytes;
      server.on("data", (chunk: Uint8Array) => {
        if (left === 0) return;
        const sent = chunk.subarray(0, left);
        left -= sent.length;
        client.write(sent, () => {
          if (left === 0) cut(client);
        });
      });
    },
  };
}

/** Forwards the bytes of the client to the server, and ends both together. */
function relayed(client: Socket, server: Socket): Socket {
  client.on("data", (chunk: Uint8Array) => server.write(chunk));
  client.on("close", () => server.destroy());
  server.on("close", () => client.destroy());
  return server;
}
