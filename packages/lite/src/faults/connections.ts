/** Lite servers that break connections, or whose frames break the protocol. */

import { hash } from "node:crypto";
import type { Socket } from "node:net";
import type { LiteBehaviour } from "../answers/behaviour.ts";

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

const PAYLOAD = 4 + 32;
const CHECKSUM_BYTES = 32;
const ANSWER = 0x0fac8416;
const PONG = 0xdc69fb03;

/** Frames with a wrong checksum. */
export function wrongChecksum(): LiteBehaviour {
  return changeMessages((frame) => flipped(frame, frame.length - 1));
}

/**
 * Frames that state another length. The protocol allows 64 to 2^24.
 *
 * @example
 * ```ts
 * frameLength(2 ** 32 - 1);
 * ```
 */
export function frameLength(length: number): LiteBehaviour {
  return changeMessages((frame) => {
    const changed = Buffer.from(frame);
    changed.writeUInt32LE(length);
    return changed;
  });
}

/** Frames with a message that the protocol does not have. */
export function unknownMessage(): LiteBehaviour {
  return changeMessages((frame) => signed(flipped(frame, PAYLOAD)));
}

/** Answers with the id of a query that the client did not send. */
export function wrongQueryId(): LiteBehaviour {
  return changeMessages((frame) => (messageOf(frame) === ANSWER ? signed(flipped(frame, PAYLOAD + 4)) : frame));
}

/** Every answer twice. */
export function repeatedAnswer(): LiteBehaviour {
  return changeMessages((frame) => (messageOf(frame) === ANSWER ? Buffer.concat([frame, frame]) : frame));
}

/** Pongs of pings that the client did not send. */
export function wrongPong(): LiteBehaviour {
  return changeMessages((frame) => (messageOf(frame) === PONG ? signed(flipped(frame, PAYLOAD + 4)) : frame));
}

/** The confirmation of the handshake, which is empty, stays. */
function changeMessages(change: (frame: Uint8Array) => Uint8Array): LiteBehaviour {
  return { frame: (frame) => (frame.length > PAYLOAD + CHECKSUM_BYTES ? change(frame) : frame) };
}

function messageOf(frame: Uint8Array): number {
  return Buffer.from(frame.buffer, frame.byteOffset).readUInt32LE(PAYLOAD);
}

function flipped(frame: Uint8Array, at: number): Uint8Array {
  const changed = Uint8Array.from(frame);
  changed[at] = (changed[at] as number) ^ 1;
  return changed;
}

/** With the checksum of its contents. */
function signed(frame: Uint8Array): Uint8Array {
  const end = frame.length - CHECKSUM_BYTES;
  return Buffer.concat([frame.subarray(0, end), hash("sha256", frame.subarray(4, end), "buffer")]);
}
