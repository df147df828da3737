import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { expect, test } from "vitest";
import { type Connection, connect } from "../../src/wire/adnl/connect.ts";
import {
  type AdnlMessage,
  beginFrame,
  endFrame,
  FrameReader,
  MAX_FRAME,
  pingFrame,
  queryFrame,
  readMessage,
} from "../../src/wire/adnl/frames.ts";
import { writeHandshake } from "../../src/wire/adnl/handshake.ts";
import { TlWriter } from "../../src/wire/tl/bytes.ts";
import { writeError } from "../../src/wire/tl/queries.ts";
import { bytes, flipBit, key, serve, soon, time } from "./servers.ts";

/** A client that sends the bytes of a test. */
function rawClient(port: number) {
  const socket = createConnection({ port, host: "127.0.0.1" });
  const messages: AdnlMessage[] = [];
  const waiting: (() => void)[] = [];
  const { packet, streams } = writeHandshake(key.publicKey);
  const reader = new FrameReader(MAX_FRAME, (payload) => {
    messages.push(readMessage(payload));
    for (const wake of waiting.splice(0)) wake();
  });
  socket.on("data", (chunk) => reader.push(streams.receive.update(chunk))).on("error", () => {});
  return {
    socket,
    packet,
    messages,
    send: (data: Uint8Array) => socket.write(streams.send.update(data)),
    /** Resolves when the system has the data. */
    sent: (data: Uint8Array) => new Promise<boolean>((resolve) => socket.write(streams.send.update(data), () => resolve(true))),
    async messagesOf(count: number) {
      while (messages.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
      return messages;
    },
  };
}

async function isClosed(socket: Socket): Promise<boolean> {
  if (!socket.destroyed) await once(socket, "close", { signal: soon() });
  return true;
}

test("a handshake that arrives byte by byte, with a query behind it, is served", async () => {
  await using to = await serve();
  const client = rawClient(to.server.port);
  for (const byte of client.packet) client.socket.write(Uint8Array.of(byte));
  client.send(endFrame(queryFrame(new Uint8Array(32).fill(4), bytes)));
  expect(await client.messagesOf(2)).toEqual([
    { type: "confirmation" },
    { type: "answer", id: new Uint8Array(32).fill(4), data: time },
  ]);
  client.socket.destroy();
});

test("pings are answered, an authentication is passed over, and queries of no lite server stay unanswered", async () => {
  await using to = await serve();
  const client = rawClient(to.server.port);
  client.socket.write(client.packet);
  client.send(endFrame(beginFrame(0).uint(0x445bab12).bytes(Buffer.alloc(32))));
  client.send(endFrame(beginFrame(0).uint(0xb48bf97a).raw(new Uint8Array(32)).bytes(bytes)));
  client.send(endFrame(pingFrame("ping", -1n)));
  expect(await client.messagesOf(2)).toEqual([{ type: "confirmation" }, { type: "pong", id: -1n }]);
  client.socket.destroy();
});

const headOf = (length: number) => new TlWriter().uint(length).finish();

test.each<[string, Uint8Array]>([
  ["a frame of 63 bytes", headOf(63)],
  ["a frame of 65,537 bytes", headOf(65_537)],
  ["a frame of 2^32 - 1 bytes", headOf(2 ** 32 - 1)],
  ["a wrong checksum", flipBit(endFrame(beginFrame(0)), 40)],
  ["garbage", endFrame(beginFrame(0).raw(Buffer.from("garbage!")))],
  ["an answer", endFrame(beginFrame(0).uint(0x0fac8416).raw(new Uint8Array(32)).bytes(time))],
  ["a query with bytes left over", endFrame(queryFrame(new Uint8Array(32), bytes).uint(0))],
])("a client that sends %s is cut off, and no other", async (_, data) => {
  await using to = await serve();
  const other = await connect(to.address);
  const client = rawClient(to.server.port);
  client.socket.write(client.packet);
  await client.messagesOf(1);
  client.send(data);
  expect(await isClosed(client.socket)).toBe(true);
  expect(await other.query(bytes, soon())).toEqual(time);
  expect(to.server.connections).toBe(1);
  other.close();
});

test("a client with a damaged handshake is cut off", async () => {
  await using to = await serve();
  const client = rawClient(to.server.port);
  client.socket.write(flipBit(client.packet, 64));
  expect(await isClosed(client.socket)).toBe(true);
});

test("idle clients are disconnected, before and after the handshake", async () => {
  // More than a busy server needs for a handshake.
  await using to = await serve({ idleTimeout: 3_000 });
  const [without, within, after] = [rawClient(to.server.port), rawClient(to.server.port), rawClient(to.server.port)];
  within.socket.write(within.packet.subarray(0, 100));
  after.socket.write(after.packet);
  for (const { socket } of [without, within, after]) expect(await isClosed(socket)).toBe(true);
  expect(after.messages).toEqual([{ type: "confirmation" }]);
});

test("connections above the limit are closed", async () => {
  await using to = await serve({ maxConnections: 2 });
  const kept = [await connect(to.address), await connect(to.address)];
  await expect(connect(to.address)).rejects.toMatchObject({ kind: "unavailable" });
  for (const connection of kept) {
    expect(await connection.query(bytes, soon())).toEqual(time);
    connection.close();
  }
});

test("a connection has a limited number of queries in flight", async () => {
  let [now, most] = [0, 0];
  await using to = await serve({
    maxInFlight: 5,
    async onQuery() {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 1));
      now--;
      return time;
    },
  });
  const connection = await connect(to.address);
  await Promise.all(Array.from({ length: 200 }, () => connection.query(bytes, soon())));
  expect(most).toBe(5);
  connection.close();
});

/** Resolves when a count stands still over two round trips of another connection. */
async function standsStill(count: () => number, other: Connection): Promise<void> {
  for (let trips = 0; trips < 2; ) {
    const before = count();
    await other.query(bytes, soon());
    trips = count() === before ? trips + 1 : 0;
  }
}

test("a client that does not read is not answered without end", async () => {
  const answer = new Uint8Array(100_000);
  const big = Uint8Array.of(...bytes, 1);
  let answered = 0;
  await using to = await serve({
    onQuery(query) {
      if (query.length !== big.length) return time;
      answered++;
      return answer;
    },
  });
  const other = await connect(to.address);
  const client = rawClient(to.server.port);
  client.socket.write(client.packet);
  await client.messagesOf(1);
  client.socket.pause();
  const query = endFrame(queryFrame(new Uint8Array(32), big));
  client.send(Buffer.concat(Array.from({ length: 300 }, () => query)));
  await expect.poll(() => answered).toBeGreaterThan(0);
  await standsStill(() => answered, other);
  // The buffers of the system and of the server hold a few megabytes.
  expect(answered).toBeLessThan(200);
  client.socket.resume();
  await client.messagesOf(301);
  client.socket.destroy();
  other.close();
});

test("a client that does not read its pongs is not read either", async () => {
  const ping = endFrame(pingFrame("ping", 1n));
  let pongs = 0;
  await using to = await serve({
    changeFrame(frame) {
      if (frame.length === ping.length) pongs++;
      return frame;
    },
  });
  const other = await connect(to.address);
  const client = rawClient(to.server.port);
  client.socket.write(client.packet);
  await client.messagesOf(1);
  client.socket.pause();
  const pings = Buffer.concat(Array.from({ length: 10_000 }, () => ping));
  const isTaken = () => Promise.race([client.sent(pings), standsStill(() => pongs, other).then(() => false)]);
  let taken = 0;
  // 24 MB are more than the buffers of the system.
  while (taken < 30 && (await isTaken())) taken++;
  expect(pongs).toBeGreaterThan(0);
  expect(taken).toBeLessThan(30);
  client.socket.destroy();
  other.close();
});

test("an error of the answering function is reported, and answered with an error", async () => {
  const errors: unknown[] = [];
  const bug = new Error("a bug");
  await using to = await serve({
    onQuery() {
      throw bug;
    },
    onError: (error) => errors.push(error),
  });
  const connection = await connect(to.address);
  expect(await connection.query(bytes, soon())).toEqual(writeError(602, "internal error"));
  expect(errors).toEqual([bug]);
  connection.close();
});

test("the signal of a query aborts when its client goes", async () => {
  const aborted = Promise.withResolvers<void>();
  await using to = await serve({
    onQuery(_, signal) {
      signal.addEventListener("abort", () => aborted.resolve());
      return new Promise(() => {});
    },
  });
  const connection = await connect(to.address);
  const query = connection.query(bytes, soon());
  await expect(connection.query(bytes, AbortSignal.timeout(50))).rejects.toMatchObject({ name: "TimeoutError" });
  connection.close();
  await expect(query).rejects.toMatchObject({ kind: "unavailable" });
  await aborted.promise;
});

test("closing ends all connections", async () => {
  const to = await serve();
  const connection = await connect(to.address);
  const client = rawClient(to.server.port);
  await once(client.socket, "connect");
  await to[Symbol.asyncDispose]();
  expect(await connection.closed).toMatchObject({ kind: "unavailable" });
  expect(await isClosed(client.socket)).toBe(true);
});
