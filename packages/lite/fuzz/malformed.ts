/** Frames that break the protocol in one place. */
import { beginFrame, endFrame } from "@chain-query/lite/wire";

/** A whole number from 0 to below a limit. */
export type Random = (below: number) => number;

/** The same numbers for the same seed. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const edges = [0, 1, 63, 64, 2 ** 16 + 1, 2 ** 24 + 1, 2 ** 31, 2 ** 31 - 1, 2 ** 32 - 1, 0xfffffffe];

/** The receivers of the frames have this limit. */
export const MAX_BYTES = 4096;

/** Changes the frame of a payload. So many bytes follow that no receiver waits for more. */
export function malformed(payload: Uint8Array, random: Random): Uint8Array {
  const frame = framed(payload);
  const kind = random(8);
  if (kind === 0) {
    const bit = random(8 * frame.length);
    frame[bit >> 3] = (frame[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    return bit < 32 ? filled(frame) : frame;
  }
  if (kind === 1) {
    setWord(frame, 0, edgeOrAny(random));
    return filled(frame);
  }
  if (kind === 2) return filled(frame.subarray(0, random(frame.length)));
  return framed(changedPayload(kind, payload, random));
}

function changedPayload(kind: number, payload: Uint8Array, random: Random): Uint8Array {
  const changed = payload.slice();
  switch (kind) {
    case 3:
      return randomBytes(random(300), random);
    case 4:
      return payload.subarray(0, random(payload.length + 1));
    case 5:
      return Buffer.concat([payload, randomBytes(1 + random(40), random)]);
    case 6:
      // The counts, lengths and ids of TL stand at multiples of four.
      if (changed.length >= 4) setWord(changed, 4 * random(changed.length >> 2), edgeOrAny(random));
      return changed;
    default:
      for (let count = random(8); count >= 0; count--) changed[random(changed.length)] = random(256);
      return changed;
  }
}

function framed(payload: Uint8Array): Uint8Array {
  return endFrame(beginFrame(payload.length).raw(payload));
}

function filled(frame: Uint8Array): Uint8Array {
  return Buffer.concat([frame, new Uint8Array(MAX_BYTES + 4)]);
}

function edgeOrAny(random: Random): number {
  return edges[random(2 * edges.length)] ?? random(2 ** 32);
}

function setWord(bytes: Uint8Array, at: number, value: number): void {
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(at, value, true);
}

function randomBytes(length: number, random: Random): Uint8Array {
  return Uint8Array.from({ length }, () => random(256));
}

/** Collects outcomes of frames. */
export class Tally {
  readonly outcomes: Map<string, number> = new Map();
  readonly faults: string[] = [];

  count(outcome: string): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
  }

  fault(fault: string): void {
    if (this.faults.length < 20) this.faults.push(fault);
  }
}
