/** Requests end at their deadline, and when their callers close the connection. */

import { once } from "node:events";
import { connect } from "node:net";
import { setWaitingFor } from "@chain-query/format/async";
import type { ChainReader } from "@chain-query/format/store";
import { openChain } from "@chain-query/local-chain/reader";
import { until } from "@chain-query/testing/until";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { serviceReader } from "../../src/decorate.ts";
import type { Gate } from "../../src/limits/gate.ts";
import { appWith } from "../fixtures/app.ts";
import { ask } from "../fixtures/ask.ts";
import { longestHistory, rawAddress, testChain } from "../fixtures/chain.ts";

const account = longestHistory()[0]?.account ?? expect.unreachable();
const address = rawAddress(account);

const chain = openChain(testChain);
afterAll(() => chain.close());

/** A service whose source reads accounts and transactions when it is released, and the signals of these reads. */
async function heldService(deadline: number) {
  const [held, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<AbortSignal>()];
  const signals: AbortSignal[] = [];
  const hold = async (signal: AbortSignal): Promise<void> => {
    setWaitingFor(signal, "the primary database");
    signals.push(signal);
    begun.resolve(signal);
    await held.promise;
  };
  const source: Partial<ChainReader> = {
    async account(id, seqno, _at, signal) {
      await hold(signal);
      return chain.account(id, seqno);
    },
    async history(id, range, limit, _at, signal) {
      await hold(signal);
      return chain.history(id, range, limit);
    },
  };
  const app = appWith({ deadline }, source);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => held.resolve());
  return { url, signals, begun: begun.promise, release: () => held.resolve() };
}

const page = { address, limit: "3", archival: "true" };
const path = `/api/v2/getTransactionsStd?${new URLSearchParams(page)}`;
const pageRequest = (url: string, signal: AbortSignal): Promise<Response> => fetch(url + path, { signal });
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener("abort", () => resolve())));

test("a request at its deadline ends with one line that names the part that was slow, and so does each of two that share a page", async () => {
  const { url, signals } = await heldService(1);
  const answers = await Promise.all([
    ask(url, "getAddressInformation", { address }),
    ask(url, "getTransactionsStd", page),
    ask(url, "getTransactionsStd", page),
  ]);
  for (const { status, body } of answers)
    expect([status, body.error]).toEqual([504, "the primary database did not answer within 1 s"]);
  expect(signals.map((signal) => signal.aborted)).toEqual([true, true]);
});

test("a request that limits or keys hold ends at its deadline", async () => {
  const gate: Gate = ({ deadline }) => {
    setWaitingFor(deadline.signal, "the database of API keys");
    return new Promise(() => {});
  };
  const url = await appWith({ deadline: 1, gate }).listen({ port: 0, host: "127.0.0.1" });
  const { status, body } = await ask(url, "getMasterchainInfo");
  expect([status, body.error]).toEqual([504, "the database of API keys did not answer within 1 s"]);
});

describe("a caller who closes the connection", () => {
  // The service does not read a connection while a request waits for another one.
  test.each([0, 1, 20])("ends the work that is done for him alone, also with %i requests behind it", async (behind) => {
    const { url, begun } = await heldService(60);
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(1 + behind));
    const signal = await begun;
    socket.destroy();
    await aborted(signal);
    expect(signal.reason).toMatchObject({ status: 422 });
  });

  test("ends no work that another caller waits for", async () => {
    const { url, begun, release, signals } = await heldService(60);
    const gone = new AbortController();
    const left = pageRequest(url, gone.signal).catch(() => "gone");
    const signal = await begun;
    const other = ask(url, "getTransactionsStd", page);
    const alone = ask(url, "getAddressInformation", { address });
    await expect.poll(() => signals).toHaveLength(2);
    gone.abort();
    expect(await left).toBe("gone");
    release();
    expect([(await other).status, (await alone).status, signal.aborted]).toEqual([200, 200, false]);
  });

  test("is not one who has only ended its side of the connection", async () => {
    const { url, begun, release } = await heldService(60);
    const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen: true });
    let answer = "";
    socket.setEncoding("utf8").on("data", (chunk) => {
      answer += chunk;
    });
    socket.end(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    const signal = await begun;
    await until(() => answer.includes("102 Processing"));
    expect(signal.aborted).toBe(false);
    release();
    await once(socket, "close");
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(expect.arrayContaining(["HTTP/1.1 102", "HTTP/1.1 200"]));
  });
});

test("a read that does not answer at once is counted by its method, with its time and whether it failed", async () => {
  const counted: unknown[] = [];
  const changed: ChainReader = {
    ...chain,
    account: async (id, seqno) => chain.account(id, seqno),
    history: async () => Promise.reject(new Error("lost")),
  };
  const onRead = (read: string, seconds: number, hasFailed: boolean) => counted.push([read, seconds >= 0, hasFailed]);
  const reader = serviceReader(changed, { wordsOf: () => ({ slow: "slow", unavailable: "unavailable" }), onRead });
  const { signal } = new AbortController();
  const head = await reader.head(signal);
  await reader.account(account, undefined, head, signal);
  const range = { from: { lt: 1n, hash: account.hash }, aboveLt: 0n, archival: true };
  await expect(reader.history(account, range, 1, head, signal)).rejects.toThrow("lost");
  expect(counted).toEqual([
    ["account", true, false],
    ["history", true, true],
  ]);
});
