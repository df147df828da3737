/** The head of a response, and requests that wait for one. */
import { once } from "node:events";
import { connect } from "node:net";
import type { ChainReader, Head } from "@chain-query/format/store";
import { openChain } from "@chain-query/local-chain/reader";
import { until } from "@chain-query/testing/until";
import { afterAll, describe, expect, test, vi } from "vitest";
import { createMetrics } from "../../src/observability/metrics.ts";
import { appWith } from "../fixtures/app.ts";
import { ask, resultOf, sendRaw } from "../fixtures/ask.ts";
import { longestHistory, testChain } from "../fixtures/chain.ts";

const account = longestHistory()[0]?.account ?? expect.unreachable();
const address = `${account.workchain}:${Buffer.from(account.hash).toString("hex")}`;
const chain = openChain(testChain);
afterAll(() => chain.close());
const newest = chain.head();
const first = newest.block.id.seqno;

function headAt(seqno: number): Head {
  const { block } = newest;
  return { ...newest, block: { ...block, id: { ...block.id, seqno }, endLt: block.endLt + BigInt(seqno - first) * 1_000n } };
}

/** A service whose head moves when the test says so. @param isDatabase - The head is read asynchronously, and otherwise in memory. */
async function movingService(isDatabase: boolean, deadline = 60, changes: Partial<ChainReader> = {}) {
  let current: Head = newest;
  let reads = 0;
  const head = (): Head => {
    reads++;
    return current;
  };
  const reader = isDatabase ? { head: async () => head(), known: () => current } : { head };
  const metrics = createMetrics(async () => undefined);
  const waits = { now: 0, begun: 0 };
  const count = (change: 1 | -1) => {
    waits.now += change;
    if (change === 1) waits.begun++;
  };
  // Without traffic, a connection is closed a second after the deadline of its request.
  const timeouts = { headers: 10_000, request: 20_000, keepAlive: 65_000, idle: 0, checkInterval: 2_000 };
  const app = appWith({ deadline, timeouts, metrics: { ...metrics, waits: count } }, { ...reader, ...changes });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return {
    app,
    url,
    waits,
    reads: () => reads,
    move: (seqno: number) => {
      current = headAt(seqno);
    },
  };
}

const waitingFor = (seqno: number, seconds = 20) => ({ "chain-min-head": String(seqno), prefer: `wait=${seconds}` });

describe.each([
  ["of a database", true],
  ["in memory", false],
])("a head %s", (_, isDatabase) => {
  test("is in each response: the one that it was made as of, or the one that was known", async () => {
    const { url } = await movingService(isDatabase);
    const page = { address, limit: 2 };
    const message = { source: address, destination: address, created_lt: "1" };
    const answers = await Promise.all([
      ask(url, "getMasterchainInfo"),
      ask(url, "getConsensusBlock"),
      ask(url, "getOutMsgQueueSize"),
      ask(url, "getAddressInformation", { address }),
      ask(url, "getTransactionsStd", page),
      ask(url, "lookupBlock", { workchain: -1, shard: "-9223372036854775808", seqno: 1 }),
      ask(url, "lookupBlock", { workchain: -1, shard: "-9223372036854775808", seqno: 2 ** 31 }),
      ask(url, "tryLocateResultTx", message),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 404, 404]);
    expect(answers.map(({ headers }) => headers.get("chain-head"))).toEqual(answers.map(() => String(first)));
  });

  test("below the one that a request names is a failure that says so", async () => {
    const { url, move } = await movingService(isDatabase);
    const { status, body, headers } = await ask(
      url,
      "getAddressInformation",
      { address },
      { "chain-min-head": `${first + 1}` },
    );
    expect([status, body]).toMatchObject([503, { reason: "behind" }]);
    expect(body.error).toBe(
      `the head of this node is ${first}, below the ${first + 1} of chain-min-head; ask again, or wait for it with Prefer: wait=10`,
    );
    expect([headers.get("retry-after"), headers.get("chain-head")]).toEqual(["1", String(first)]);
    expect(headers.get("preference-applied")).toBeNull();
    move(first + 1);
    expect((await ask(url, "getAddressInformation", { address }, { "chain-min-head": `${first + 1}` })).status).toBe(200);
  });

  test("is waited for by any number of requests with the reads of one", async () => {
    const { url, reads, move } = await movingService(isDatabase);
    const before = reads();
    const waiting = Array.from({ length: 40 }, () => ask(url, "getMasterchainInfo", {}, waitingFor(first + 1)));
    await until(() => reads() >= before + 40 || undefined);
    // From now on only the one loop reads.
    const [begun, from] = [reads(), performance.now()];
    move(first + 1);
    const answers = await Promise.all(waiting);
    expect(new Set(answers.map(({ body }) => (body.result as { last: { seqno: number } }).last.seqno))).toEqual(
      new Set([first + 1]),
    );
    for (const { headers } of answers)
      expect([headers.get("chain-head"), headers.get("preference-applied")]).toEqual([String(first + 1), "wait"]);
    expect(reads() - begun).toBeLessThan((performance.now() - from) / 10 + 2);
  });

  test("that does not come is a failure at the end of the wait, and the next one is then as of now", async () => {
    const { url } = await movingService(isDatabase, 1);
    const [named, next] = await Promise.all([
      ask(url, "getMasterchainInfo", {}, waitingFor(first + 5, 3)),
      ask(url, "getMasterchainInfo", {}, { prefer: "respond-async, Wait=3" }),
    ]);
    expect([named.status, named.body]).toMatchObject([503, { reason: "behind" }]);
    expect([next.status, next.headers.get("chain-head"), next.headers.get("preference-applied")]).toEqual([
      200,
      String(first),
      "wait",
    ]);
  });

  test("that is waited for without a number, as long as possible, is the next one", async () => {
    const { url, reads, move } = await movingService(isDatabase);
    const next = resultOf(url, "getMasterchainInfo", {}, { prefer: 'wait="99999999999"' });
    await until(() => reads() > 1 || undefined);
    move(first + 1);
    expect((await next).last.seqno).toBe(first + 1);
  });
});

test.each([
  ["of a database is found as of the head after it", true],
  ["in memory is not denied as of the head after it", false],
])("what comes during a search %s", async (_, isDatabase) => {
  const transaction = longestHistory()[0] ?? expect.unreachable();
  /** Has what the head has, which moves during the search. */
  const found = async <Found>(at: Head, what: Found): Promise<Found | undefined> => {
    moving.move(first + 1);
    return at.block.id.seqno > first ? what : undefined;
  };
  const moving = await movingService(isDatabase, 60, {
    findReceiver: (_message, at) => found(at, transaction),
    findSender: async () => undefined,
    block: (_shard, _selector, at) => found(at, headAt(first + 1).block),
  });
  const message = { source: address, destination: address, created_lt: String(newest.block.endLt + 5n) };
  const next = { workchain: -1, shard: "-9223372036854775808", seqno: first + 1 };
  const located = await ask(moving.url, "tryLocateResultTx", message);
  moving.move(first);
  const block = await ask(moving.url, "lookupBlock", next);
  const answers = [located, block].map(({ status, body, headers }) => [status, body.reason, headers.get("chain-head")]);
  expect(answers).toEqual(
    isDatabase
      ? [
          [200, undefined, null],
          [200, undefined, String(first + 1)],
        ]
      : [
          [404, "message_pending", String(first)],
          [404, "block_pending", String(first)],
        ],
  );
});

test.each([true, false])("a request reads its head once, also after a wait (of a database: %s)", async (isDatabase) => {
  const seen: number[] = [];
  const { url, reads, move } = await movingService(isDatabase, 60, {
    account: (id, seqno, at, _signal) => {
      seen.push(at.block.id.seqno);
      // A newer block at once: what follows is as of the head of the request.
      move(first + seen.length);
      return chain.account(id, seqno);
    },
  });
  const before = reads();
  const { headers } = await ask(url, "getAddressInformation", { address }, { "chain-min-head": String(first) });
  expect([reads() - before, seen, headers.get("chain-head")]).toEqual([1, [first], String(first)]);
  const missing = await ask(url, "getTransactionsStd", { address, limit: 1 }, { "chain-min-head": String(first + 1) });
  expect([reads() - before, missing.headers.get("chain-head")]).toEqual([2, String(first + 1)]);
});

test("a wait does not shorten the time of the request", async () => {
  const { url, reads, move } = await movingService(false, 1);
  const answer = ask(url, "getMasterchainInfo", {}, waitingFor(first + 1));
  await until(() => reads() > 150 || undefined);
  move(first + 1);
  expect((await answer).status).toBe(200);
});

test("a wait ends after 20 seconds", async () => {
  const { url, reads } = await movingService(false);
  const answer = ask(url, "getMasterchainInfo", {}, waitingFor(first + 1, 1_000));
  await until(() => reads() > 2 || undefined);
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + 20_000);
  expect((await answer).body).toMatchObject({ reason: "behind" });
  clock.mockRestore();
});

test("consensus on a block that the process does not know yet is a head", async () => {
  const { url } = await movingService(true, 60, { consensus: async () => headAt(first + 3).block });
  expect((await ask(url, "getConsensusBlock")).headers.get("chain-head")).toBe(String(first + 3));
});

test("a caller who hangs up is no longer waited for", async () => {
  const { url, waits } = await movingService(false);
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write("GET /api/v2/getMasterchainInfo HTTP/1.1\r\nhost: x\r\nprefer: wait=20\r\n\r\n");
  await until(() => waits.now === 1 || undefined);
  socket.destroy();
  await once(socket, "close");
  // A wait that is shorter, and ends later.
  await ask(url, "getMasterchainInfo", {}, { prefer: "wait=3" });
  expect(waits).toEqual({ now: 0, begun: 2 });
});

test("a service that stops answers all that wait at once", async () => {
  const { app, url, waits } = await movingService(true);
  const [named, next] = [
    ask(url, "getMasterchainInfo", {}, waitingFor(first + 1)),
    ask(url, "getMasterchainInfo", {}, { prefer: "wait=20" }),
  ];
  const request = "GET /api/v2/getMasterchainInfo HTTP/1.1\r\nhost: x\r\nprefer: wait=20\r\n";
  // The second one begins after the first one, when the service stops already.
  const pipelined = sendRaw(Number(new URL(url).port), `${request}\r\n${request}connection: close\r\n\r\n`);
  await until(() => waits.now === 3 || undefined);
  const closed = app.close();
  expect((await named).body).toMatchObject({ reason: "behind" });
  expect((await next).status).toBe(200);
  expect((await pipelined).match(/HTTP\/1.1 200/g)).toHaveLength(2);
  expect(waits).toEqual({ now: 0, begun: 3 });
  app.server.closeIdleConnections();
  await closed;
});

test("a lowest head that cannot be read is refused, and such a preference is ignored", async () => {
  const { url } = await movingService(false);
  for (const value of ["-1", "1.5", "", "0x10", "4294967296", "1, 2"]) {
    const { status, body } = await ask(url, "getMasterchainInfo", {}, { "chain-min-head": value });
    expect([status, body], value).toMatchObject([422, { reason: "invalid_input", input: "chain-min-head" }]);
    expect(body.error).toBe("chain-min-head: expected an integer from 0 to 4294967295");
  }
  for (const prefer of ["wait", "wait=-1", "wait=soon", "await=5", "x; wait=5", "code=503"]) {
    const { status, headers } = await ask(url, "getMasterchainInfo", {}, { prefer });
    expect([status, headers.get("preference-applied")], prefer).toEqual([200, null]);
  }
});

test("pages of other origins may read the headers", async () => {
  const { url } = await movingService(false);
  const { headers } = await ask(url, "getMasterchainInfo", {}, { origin: "https://app.example" });
  expect(headers.get("access-control-expose-headers")).toMatch(/Chain-Head.*Preference-Applied/);
});
