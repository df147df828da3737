import { expect, test } from "vitest";
import { wrongPong } from "../../src/faults/connections.ts";
import { connect } from "../../src/wire/adnl/connect.ts";
import { answerFrame, beginFrame, endFrame, pingFrame } from "../../src/wire/adnl/frames.ts";
import { adnlKey } from "../../src/wire/adnl/handshake.ts";
import type { LiteError } from "../../src/wire/lite-error.ts";
import { TlWriter } from "../../src/wire/tl/bytes.ts";
import { queries, readQuery, writeError } from "../../src/wire/tl/queries.ts";
import { type Badness, badServer, bytes, flipBit, serve, soon, time } from "./servers.ts";

test("a query is answered", async () => {
  await using to = await serve({ onQuery: (query) => (readQuery(query).name === "getTime" ? time : writeError(621, "")) });
  const connection = await connect(to.address);
  expect(queries.getTime().read(await connection.query(bytes, soon()))).toEqual({ now: 5 });
  expect(connection.inFlight).toBe(0);
  connection.close();
  expect(await connection.closed).toBeUndefined();
  await expect(connection.query(bytes, soon())).rejects.toMatchObject({
    kind: "unavailable",
    message: "the connection was closed",
  });
});

test("many queries are in flight, and each gets its own answer, in any order", async () => {
  let most = 0;
  const waits = Array.from({ length: 300 }, (_, index) => (index * 37) % 20);
  await using to = await serve({
    maxInFlight: 100,
    async onQuery(query) {
      const call = readQuery(query);
      const { mode } = call.args as { mode: number };
      await new Promise((resolve) => setTimeout(resolve, waits[mode]));
      return writeError(mode, "");
    },
  });
  const connection = await connect(to.address);
  const signal = soon();
  const asked = waits.map(async (_, mode) => {
    const answer = await connection.query(queries.getMasterchainInfoExt({ mode }).bytes, signal);
    most = Math.max(most, connection.inFlight);
    expect(answer).toEqual(writeError(mode, ""));
  });
  expect(connection.inFlight).toBe(300);
  await Promise.all(asked);
  expect(most).toBeGreaterThan(100);
  connection.close();
});

test("answers of up to the longest frame arrive", async () => {
  const long = new Uint8Array(2 ** 24 - 64 - 40).fill(3);
  await using to = await serve({ onQuery: (query) => (query.length > 4 ? new Uint8Array(2 ** 24) : long) });
  const connection = await connect(to.address);
  expect(Buffer.compare(await connection.query(bytes, soon()), long)).toBe(0);
  const tooLong = await connection.query(queries.getMasterchainInfoExt({ mode: 0 }).bytes, soon());
  expect(() => queries.getTime().read(tooLong)).toThrow(expect.objectContaining({ kind: "refused", code: 602 }));
  connection.close();
});

test("a cancelled query leaves the connection usable, even if its answer is late", async () => {
  let answerLate = (_: Uint8Array) => {};
  await using to = await serve({
    onQuery: (query) => (query.length > 4 ? new Promise<Uint8Array>((resolve) => (answerLate = resolve)) : time),
  });
  const connection = await connect(to.address);
  const reason = new Error("no time");
  const stop = new AbortController();
  const late = connection.query(queries.getMasterchainInfoExt({ mode: 0 }).bytes, stop.signal);
  await connection.query(bytes, soon());
  stop.abort(reason);
  await expect(late).rejects.toBe(reason);
  expect(connection.inFlight).toBe(0);
  answerLate(time);
  for (let round = 0; round < 3; round++) expect(await connection.query(bytes, soon())).toEqual(time);
  await expect(connection.query(bytes, AbortSignal.abort(reason))).rejects.toBe(reason);
  connection.close();
});

test("pings keep an idle connection open, in both directions", async () => {
  await using to = await serve({ idleTimeout: 4_000 });
  const kept = await connect(to.address, { keepAlive: 200 });
  const silent = await connect(to.address, { keepAlive: 60_000 });
  expect(await silent.closed).toMatchObject({ kind: "unavailable", message: "the other side closed the connection" });
  // The kept connection is older.
  expect(await kept.query(bytes, soon())).toEqual(time);
  expect(to.server.connections).toBe(1);
  kept.close();
});

test("a ping of the server is answered", async () => {
  const answered = Promise.withResolvers<unknown>();
  await using to = await badServer({
    onHandshake(side) {
      side.sendPayload(new Uint8Array(0));
      side.send(endFrame(pingFrame("ping", 9n)));
    },
    onMessage: (message) => answered.resolve(message),
  });
  const connection = await connect(to.address);
  expect(await answered.promise).toEqual({ type: "pong", id: 9n });
  connection.close();
});

test("a pong of another ping ends an idle connection", async () => {
  await using to = await serve({ changeFrame: wrongPong().frame });
  const connection = await connect(to.address, { timeout: 10_000, keepAlive: 4_000 });
  expect(await connection.closed).toMatchObject({ kind: "protocol", message: "ADNL: a pong without its ping" });
});

test("a port without a server is unavailable", async () => {
  const to = await badServer({});
  await to[Symbol.asyncDispose]();
  await expect(connect(to.address)).rejects.toMatchObject({
    name: "LiteError",
    kind: "unavailable",
    message: expect.stringContaining("ECONNREFUSED"),
  });
});

test("a signal ends the attempt to connect", async () => {
  await using to = await badServer({ onConnection() {} });
  await expect(connect(to.address, { signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow("stop");
  const stop = new AbortController();
  const connecting = connect(to.address, { signal: stop.signal });
  stop.abort(new Error("stop later"));
  await expect(connecting).rejects.toThrow("stop later");
});

/** Before the handshake is confirmed. */
test.each<[string, Badness, Partial<LiteError>]>([
  ["resets", { onConnection: (socket) => socket.resetAndDestroy() }, { kind: "unavailable" }],
  [
    "closes its half",
    { onConnection: (socket) => socket.end() },
    { kind: "unavailable", message: "the other side closed the connection" },
  ],
  ["does not respond", { onConnection() {} }, { kind: "unavailable", message: "no handshake within 300 ms" }],
  [
    "stalls within a frame",
    { onHandshake: ({ send }) => send(endFrame(beginFrame(0)).subarray(0, 30)) },
    { kind: "unavailable", message: "no handshake within 300 ms" },
  ],
  ["sends a byte at a time", { onHandshake: drip }, { kind: "unavailable", message: "no handshake within 300 ms" }],
  ["has another key", { onConnection: (socket) => socket.once("data", () => socket.destroy()) }, { kind: "unavailable" }],
  ["sends a wrong checksum", { onHandshake: ({ send }) => send(flipBit(endFrame(beginFrame(0)), 40)) }, { kind: "protocol" }],
  [
    "sends a frame of 63 bytes",
    { onHandshake: ({ send }) => send(Uint8Array.of(63, 0, 0, 0)) },
    { kind: "protocol", message: "ADNL: a frame of 63 bytes, expected 64 to 16777216" },
  ],
  [
    "sends an answer first",
    { onHandshake: ({ send }) => send(endFrame(answerFrame(new Uint8Array(32), time))) },
    { kind: "protocol" },
  ],
])("a server that %s is given up", async (_, badness, error) => {
  await using to = await badServer(badness);
  const timeout = error.message?.endsWith(" 300 ms") ? 300 : 60_000;
  await expect(connect(to.address, { timeout })).rejects.toMatchObject({ name: "LiteError", ...error });
});

test("a server that answers in plain text is given up", async () => {
  await using to = await badServer({
    onConnection: (socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n".repeat(9)),
  });
  // Decrypted, the text begins with a random length. One in 256 would be that of a frame that is still to come.
  const options = { timeout: 60_000, maxFrame: 64 };
  await expect(connect(to.address, options)).rejects.toMatchObject({ name: "LiteError", kind: "protocol" });
});

test("a server with another key than the configured one is unavailable", async () => {
  await using to = await serve();
  const other = adnlKey(Buffer.alloc(32, 9)).publicKey;
  await expect(connect({ ...to.address, publicKey: other })).rejects.toMatchObject({ kind: "unavailable" });
});

/** In reply to a query. */
test.each<[string, NonNullable<Badness["onMessage"]>, Partial<LiteError>]>([
  ["resets", (_, { socket }) => socket.resetAndDestroy(), { kind: "unavailable" }],
  ["closes its half", (_, { socket }) => void socket.end(), { kind: "unavailable" }],
  ["does not respond", () => {}, { kind: "unavailable", message: expect.stringMatching(/^nothing received for \d+ ms$/) }],
  ["stalls within a frame", (_, { send }) => send(endFrame(beginFrame(0)).subarray(0, 40)), { kind: "unavailable" }],
  ["sends a byte at a time", (_, side) => drip(side), { kind: "unavailable" }],
  ["sends a wrong checksum", (_, { send }) => send(flipBit(endFrame(beginFrame(0)), 40)), { kind: "protocol" }],
  [
    "sends garbage",
    (_, { sendPayload }) => sendPayload(Buffer.from("garbage!")),
    { kind: "protocol", message: "ADNL: 62726167 is no message" },
  ],
  ["sends half a message", (_, { sendPayload }) => sendPayload(Uint8Array.of(0x16, 0x84)), { kind: "protocol" }],
  ["sends bytes after a message", (_, { send }) => send(endFrame(pingFrame("ping", 1n).uint(0))), { kind: "protocol" }],
  ["answers an unknown query", (_, { send }) => send(endFrame(answerFrame(new Uint8Array(32), time))), { kind: "protocol" }],
  [
    "sends a query",
    (_, { sendPayload }) => sendPayload(new TlWriter().uint(0xb48bf97a).raw(new Uint8Array(32)).bytes(time).finish()),
    { kind: "protocol" },
  ],
  ["confirms again", (_, { sendPayload }) => sendPayload(new Uint8Array(0)), { kind: "protocol" }],
])("a server that %s fails its queries, and nothing else", async (_, onMessage, error) => {
  let queriesRead = 0;
  await using to = await badServer({
    onMessage: (message, side) => message.type === "query" && ++queriesRead === 2 && onMessage(message, side),
  });
  const connection = await connect(to.address, { keepAlive: error.kind === "unavailable" ? 200 : 5_000 });
  const failed = await Promise.allSettled([connection.query(bytes, soon()), connection.query(bytes, soon())]);
  for (const query of failed) expect(query).toMatchObject({ status: "rejected", reason: { name: "LiteError", ...error } });
  expect(await connection.closed).toMatchObject({ name: "LiteError", ...error });
  expect(connection.inFlight).toBe(0);
});

test("a server that answers a query twice is given up", async () => {
  await using to = await badServer({
    onMessage(message, { send }) {
      if (message.type !== "query") return;
      const frame = endFrame(answerFrame(message.id, time));
      send(Buffer.concat([frame, frame]));
    },
  });
  const connection = await connect(to.address);
  expect(await connection.query(bytes, soon())).toEqual(time);
  expect(await connection.closed).toMatchObject({ kind: "protocol", message: "ADNL: an answer without its query" });
});

function drip({ socket, send }: Parameters<NonNullable<Badness["onMessage"]>>[1]): void {
  const frame = endFrame(beginFrame(0));
  let at = 0;
  const timer = setInterval(() => send(frame.subarray(at, ++at)), 20);
  socket.on("close", () => clearInterval(timer));
}
