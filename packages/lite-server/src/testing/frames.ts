/** Lite servers whose frames break the protocol. A frame: length 4, nonce 32, payload, SHA-256 of nonce and payload 32. */
import { hash } from "node:crypto";
import type { LiteBehaviour } from "../behaviour.ts";

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
