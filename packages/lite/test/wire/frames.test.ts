import fc from "fast-check";
import { expect, test } from "vitest";
import { beginFrame, endFrame, FrameReader, MAX_FRAME, readMessage } from "../../src/wire/adnl/frames.ts";
import { adnlKey, HANDSHAKE_BYTES, readHandshake, writeHandshake } from "../../src/wire/adnl/handshake.ts";
import { LiteError } from "../../src/wire/lite-error.ts";

const frameOf = (payload: Uint8Array) => endFrame(beginFrame(payload.length).raw(payload));

/** The payloads of a stream that arrives in pieces. */
function payloadsOf(pieces: Iterable<Uint8Array>, maxFrame = MAX_FRAME): Uint8Array[] {
  const payloads: Uint8Array[] = [];
  const reader = new FrameReader(maxFrame, (payload) => payloads.push(payload));
  for (const piece of pieces) reader.push(piece);
  return payloads;
}

function* split(stream: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, round = 0; at < stream.length; round++) {
    const end = at + (sizes[round % sizes.length] ?? 1);
    yield stream.subarray(at, end);
    at = end;
  }
}

test("any split of a stream gives the same frames", () => {
  const payload = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.integer({ min: 65_000, max: 200_000 }).map((size) => new Uint8Array(size).fill(size)),
  );
  const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1000, max: 100_000 })), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(fc.array(payload, { maxLength: 4 }), sizes, (payloads, pieces) => {
      const stream = Buffer.concat(payloads.map(frameOf));
      const smallest = Math.max(Math.min(...pieces), Math.ceil(stream.length / 20_000));
      const got = payloadsOf(
        split(
          stream,
          pieces.map((size) => Math.max(size, smallest)),
        ),
      );
      expect(got.map((each) => Buffer.from(each).toString("base64"))).toEqual(
        payloads.map((each) => Buffer.from(each).toString("base64")),
      );
    }),
    { numRuns: 100, seed: 1 },
  );
});

test("a frame owns its memory", () => {
  const chunk = Buffer.concat([frameOf(Buffer.from("one")), frameOf(Buffer.from("two"))]);
  const [payload] = payloadsOf([chunk]);
  chunk.fill(0);
  expect(Buffer.from(payload ?? [])).toEqual(Buffer.from("one"));
  expect(payload?.buffer.byteLength).toBe(67);
});

test.each([
  [0, 100],
  [63, 100],
  [101, 100],
  [2 ** 24 + 1, MAX_FRAME],
  [2 ** 32 - 1, MAX_FRAME],
])("a frame of %i bytes is refused before its bytes arrive", (length, maxFrame) => {
  const head = new Uint8Array(4);
  new DataView(head.buffer).setUint32(0, length, true);
  const read = () => payloadsOf([head], maxFrame);
  expect(read).toThrow(expect.objectContaining({ name: "LiteError", kind: "protocol" }));
  expect(read).toThrow(`a frame of ${length} bytes, expected 64 to ${maxFrame}`);
});

test("memory for a frame is taken as its bytes arrive", () => {
  const before = process.memoryUsage().arrayBuffers;
  const readers = Array.from({ length: 50 }, () => {
    const reader = new FrameReader(MAX_FRAME, () => {});
    reader.push(Uint8Array.of(0, 0, 0, 1));
    reader.push(new Uint8Array(10));
    return reader;
  });
  expect(readers).toHaveLength(50);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20e6);
});

test("each flipped bit of a frame is found", () => {
  const frame = frameOf(Buffer.from("payload"));
  for (let bit = 32; bit < 8 * frame.length; bit++) {
    const damaged = frame.slice();
    damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => payloadsOf([damaged])).toThrow("a frame has a wrong checksum");
  }
});

test("random payloads give a message or a LiteError", () => {
  const ids = ["7af98bb4", "1684ac0f", "9a2b084d", "03fb69dc", "12ab5b44"].map((id) => Buffer.from(id, "hex"));
  fc.assert(
    fc.property(fc.constantFrom(Buffer.alloc(0), ...ids), fc.uint8Array({ maxLength: 60 }), (id, rest) => {
      try {
        readMessage(Buffer.concat([id, rest]));
      } catch (error) {
        expect(error).toBeInstanceOf(LiteError);
      }
    }),
    { numRuns: 1000, seed: 1 },
  );
});

test("both sides of a handshake have the same streams", () => {
  const key = adnlKey(Buffer.alloc(32, 1));
  const { packet, streams } = writeHandshake(key.publicKey);
  const server = readHandshake(packet, key);
  const text = Buffer.from("a text");
  expect(server.receive.update(streams.send.update(text))).toEqual(text);
  expect(streams.receive.update(server.send.update(text))).toEqual(text);
});

test("a damaged handshake, or one for another key, is refused", () => {
  const key = adnlKey(Buffer.alloc(32, 1));
  const { packet } = writeHandshake(key.publicKey);
  for (let at = 0; at < HANDSHAKE_BYTES; at++) {
    // The sign of the client's key has no influence.
    const damaged = Uint8Array.from(packet, (byte, index) => (index === at ? byte ^ 1 : byte));
    expect(() => readHandshake(damaged, key)).toThrow(expect.objectContaining({ name: "LiteError", kind: "protocol" }));
  }
  expect(() => readHandshake(packet, adnlKey(Buffer.alloc(32, 2)))).toThrow("the handshake is for another key");
});

test.each([0, 1])("a client's key of small order, y = %i, is refused", (y) => {
  const key = adnlKey(Buffer.alloc(32, 1));
  const packet = writeHandshake(key.publicKey).packet.slice();
  packet.fill(0, 32, 64)[32] = y;
  expect(() => readHandshake(packet, key)).toThrow(LiteError);
});
