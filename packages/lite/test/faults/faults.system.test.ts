/** Each fault, as a client without any retries sees it. */

import { afterEach, describe, expect, test } from "vitest";
import { combine, type LiteBehaviour } from "../../src/answers/behaviour.ts";
import { forkedHead, frozenHead, futureHead, headGoesBack, staleHead } from "../../src/faults/chain-tips.ts";
import {
  closedPort,
  frameLength,
  halfCloses,
  repeatedAnswer,
  resets,
  silentConnection,
  stalls,
  trickles,
  unknownMessage,
  wrongChecksum,
  wrongPong,
  wrongQueryId,
} from "../../src/faults/connections.ts";
import {
  answerOfAnotherFunction,
  delay,
  garbage,
  hugeVector,
  refuse,
  silence,
  trailingBytes,
  truncated,
  wrongTag,
} from "../../src/faults/failing-answers.ts";
import { startFaultyLiteServer } from "../../src/faults/faulty-server.ts";
import { type ConnectOptions, connect } from "../../src/wire/adnl/connect.ts";
import { type LiteQuery, queries } from "../../src/wire/tl/queries.ts";
import { smallChain } from "../answers/small-chain.ts";

const SEQNO = 20;
const chain = smallChain(SEQNO);
const ended: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

/** A connection to a server with behaviours, which sends one query after the other. */
async function connected(behaviours: readonly LiteBehaviour[], options: ConnectOptions = {}) {
  const server = await startFaultyLiteServer({ chain, key: new Uint8Array(32).fill(3), behaviours });
  ended.push(() => server.close());
  const connection = await connect(server, { timeout: 10_000, ...options });
  ended.push(() => connection.close());
  const ask = async <Answer>(query: LiteQuery<Answer>, timeout = 10_000): Promise<Answer> =>
    query.read(await connection.query(query.bytes, AbortSignal.timeout(timeout)));
  return { connection, ask };
}

async function seqnos(behaviour: LiteBehaviour, reads = 3): Promise<number[]> {
  const { ask } = await connected([behaviour]);
  const read: number[] = [];
  for (let i = 0; i < reads; i++) read.push((await ask(queries.getMasterchainInfo())).last.seqno);
  return read;
}

describe("a connection", () => {
  test.each([
    ["a closed port", closedPort()],
    ["no confirmation", silentConnection()],
    ["a reset at once", resets(0)],
    ["a byte per second", trickles(1)],
    ["a confirmation cut off", stalls(30)],
  ])("cannot be made: %s", async (_, behaviour) => {
    await expect(connected([behaviour], { timeout: 300 })).rejects.toMatchObject({ name: "LiteError", kind: "unavailable" });
  });

  test.each([
    ["a reset", resets()],
    ["a reset within an answer", resets(100)],
    ["a half-closed connection", halfCloses()],
  ])("ends: %s", async (_, behaviour) => {
    const { connection, ask } = await connected([behaviour]).catch((error) => ({
      connection: { closed: Promise.resolve(error) },
      ask: () => Promise.reject(error),
    }));
    await expect(ask(queries.getTime())).rejects.toMatchObject({ name: "LiteError", kind: "unavailable" });
    expect(await connection.closed).toMatchObject({ kind: "unavailable" });
  });

  test.each([
    ["a wrong checksum", wrongChecksum()],
    ["a length of 0", frameLength(0)],
    ["a length of 63", frameLength(63)],
    ["a length of 2^24 + 1", frameLength(2 ** 24 + 1)],
    ["a length of 2^32 - 1", frameLength(2 ** 32 - 1)],
    ["an unknown message", unknownMessage()],
    ["a wrong id of a query", wrongQueryId()],
  ])("breaks the protocol: %s", async (_, behaviour) => {
    const { connection, ask } = await connected([behaviour]);
    await expect(ask(queries.getTime())).rejects.toMatchObject({ name: "LiteError", kind: "protocol" });
    expect(await connection.closed).toMatchObject({ kind: "protocol" });
  });

  test("breaks the protocol after an answer: the answer comes twice", async () => {
    const { connection, ask } = await connected([repeatedAnswer()]);
    await ask(queries.getTime());
    expect(await connection.closed).toMatchObject({ kind: "protocol" });
  });

  test("breaks the protocol while it is idle: a pong of another ping", async () => {
    const { connection } = await connected([wrongPong()], { keepAlive: 4_000 });
    expect(await connection.closed).toMatchObject({ kind: "protocol" });
  });
});

describe("an answer", () => {
  test.each([
    ["bytes that are not TL", garbage()],
    ["bytes left over", trailingBytes()],
    ["an answer cut off", truncated()],
    ["a wrong constructor", wrongTag()],
    ["an answer to another function", answerOfAnotherFunction()],
  ])("is not TL: %s", async (_, behaviour) => {
    const { ask } = await connected([behaviour]);
    await expect(ask(queries.getMasterchainInfo())).rejects.toMatchObject({ name: "LiteError", kind: "protocol" });
  });

  test("is not TL: a list that states 2^31 items", async () => {
    const { ask } = await connected([hugeVector()]);
    const query = queries.getTransactions({
      count: 1,
      account: { workchain: -1, hash: new Uint8Array(32) },
      lt: 1n,
      hash: new Uint8Array(32),
    });
    await expect(ask(query)).rejects.toMatchObject({ name: "LiteError", kind: "protocol" });
  });

  test.each([651, 652, -400, -503, 228, 429, 621])("is an error with code %i", async (code) => {
    const { ask } = await connected([refuse(code, "no")]);
    await expect(ask(queries.getTime())).rejects.toMatchObject({ kind: "refused", code, message: "getTime: no" });
  });

  test.each([
    ["silence", silence()],
    ["an answer that stalls", stalls()],
    ["a late answer", delay(400)],
  ])("does not come in time: %s", async (_, behaviour) => {
    const { ask } = await connected([behaviour]);
    await expect(ask(queries.getTime(), 100)).rejects.toMatchObject({ name: "TimeoutError" });
  });

  test("is honest outside the scope of a behaviour", async () => {
    const { ask } = await connected([refuse(651, "no", { name: "getTime", after: 1, times: 1 })]);
    const codes: (number | undefined)[] = [];
    for (let i = 0; i < 3; i++)
      codes.push(
        await ask(queries.getTime()).then(
          () => undefined,
          ({ code }) => code,
        ),
      );
    expect(codes).toEqual([undefined, 651, undefined]);
    expect((await ask(queries.getMasterchainInfo())).last.seqno).toBe(SEQNO);
  });
});

describe("the newest block", () => {
  test("is older, goes back, or is from the future", async () => {
    expect(await seqnos(staleHead(5))).toEqual([SEQNO - 5, SEQNO - 5, SEQNO - 5]);
    expect(new Set(await seqnos(headGoesBack(3), 8))).toEqual(new Set([SEQNO, SEQNO - 3]));
    expect(await seqnos(futureHead(), 1)).toEqual([SEQNO + 1_000_000]);
  });

  test("stays the block at the server's start", async () => {
    const growing = smallChain(1);
    const server = await startFaultyLiteServer({ chain: growing, key: new Uint8Array(32), behaviours: [frozenHead()] });
    ended.push(() => server.close());
    growing.extend();
    const connection = await connect(server);
    ended.push(() => connection.close());
    const query = queries.getMasterchainInfo();
    expect(query.read(await connection.query(query.bytes, AbortSignal.timeout(10_000))).last.seqno).toBe(1);
  });

  test("has the right number and another hash", async () => {
    const { ask } = await connected([forkedHead()]);
    const { last } = await ask(queries.getMasterchainInfo());
    expect(last.seqno).toBe(SEQNO);
    expect(last.rootHash).not.toEqual(chain.head().rootHash);
  });
});

test("several behaviours apply one after the other", async () => {
  const { ask } = await connected([
    staleHead(2),
    delay(10),
    combine(refuse(651, "no", { name: "getTime" }), silence({ name: "getVersion" })),
  ]);
  expect((await ask(queries.getMasterchainInfo())).last.seqno).toBe(SEQNO - 2);
  await expect(ask(queries.getTime())).rejects.toMatchObject({ code: 651 });
  await expect(ask(queries.getVersion(), 50)).rejects.toMatchObject({ name: "TimeoutError" });
});

test("a key that is not the server's is not confirmed", async () => {
  const server = await startFaultyLiteServer({ chain, key: new Uint8Array(32).fill(3), behaviours: [] });
  ended.push(() => server.close());
  const other = await startFaultyLiteServer({ chain, key: new Uint8Array(32).fill(4), behaviours: [] });
  ended.push(() => other.close());
  const { host, port } = server;
  await expect(connect({ host, port, publicKey: other.publicKey }, { timeout: 300 })).rejects.toMatchObject({
    kind: "unavailable",
  });
});
