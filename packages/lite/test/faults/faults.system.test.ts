/** What the client hides of faults: the blocks that they name, their scope, their order. */

import { afterEach, describe, expect, test } from "vitest";
import { combine, type LiteBehaviour } from "../../src/answers/behaviour.ts";
import { forkedHead, frozenHead, futureHead, headGoesBack, staleHead } from "../../src/faults/chain-tips.ts";
import { wrongPong } from "../../src/faults/connections.ts";
import { delay, refuse, silence } from "../../src/faults/failing-answers.ts";
import { startFaultyLiteServer } from "../../src/faults/faulty-server.ts";
import { type ConnectOptions, connect } from "../../src/wire/adnl/connect.ts";
import { type LiteQuery, queries } from "../../src/wire/tl/queries.ts";
import { sampleChain } from "../proof/sample-chain.ts";

const SEQNO = 20;
const chain = sampleChain(SEQNO);
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

test("a pong of another ping ends an idle connection", async () => {
  const { connection } = await connected([wrongPong()], { keepAlive: 4_000 });
  expect(await connection.closed).toMatchObject({ kind: "protocol" });
});

test("an answer is honest outside the scope of a behaviour", async () => {
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

describe("the newest block", () => {
  test("is older, goes back, or is from the future", async () => {
    expect(await seqnos(staleHead(5))).toEqual([SEQNO - 5, SEQNO - 5, SEQNO - 5]);
    expect(new Set(await seqnos(headGoesBack(3), 8))).toEqual(new Set([SEQNO, SEQNO - 3]));
    expect(await seqnos(futureHead(), 1)).toEqual([SEQNO + 1_000_000]);
  });

  test("stays the block at the server's start", async () => {
    const growing = sampleChain(1);
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
