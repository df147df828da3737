/** The number of queries that a search for the receiver of a message takes, on a chain of few accounts with queues in its blocks. */

import type { AccountId, MessageKey } from "@chain-query/format/store";
import { describe, expect, test } from "vitest";
import { connectClient, existing, serveChain } from "../served-chain.ts";

const served = await serveChain(150, { seed: 5, accounts: 6, rate: 40, blockInterval: 1, shards: 2, transactionLimit: 8 });
const { chain } = served;
const absent: AccountId = { workchain: 0, hash: new Uint8Array(32).fill(0xab) };
const early = existing(served.headers[0]).startLt + 1n;

/** Messages of the first part of the chain by the number of masterchain blocks until their delivery. */
const delays = served.accounts
  .flatMap((account) => [...chain.transactions(account)])
  .flatMap(({ account: source, outMessages, masterchainSeqno }) =>
    masterchainSeqno > 80
      ? []
      : outMessages.flatMap(({ destination, createdLt }) => {
          const message: MessageKey | undefined = destination && { source, destination, createdLt };
          const consumer = message && chain.findReceiver(message);
          return consumer ? [{ message, consumer, delay: consumer.masterchainSeqno - masterchainSeqno }] : [];
        }),
  );

/** Searches a receiver with a new client. */
async function search(message: MessageKey, maxQueries?: number) {
  const { client, events } = connectClient(served.configOf([served.server]));
  await client.waitForHead({ seqno: chain.head().block.id.seqno });
  const before = events.length;
  const found = await client.findReceiver(message, { maxQueries }).catch((error: unknown) => error);
  const answers = events.slice(before).filter((event) => event.type === "answer");
  const pages = answers.filter((event) => event.function === "getTransactions").length;
  return { found, queries: answers.length, pages, call: events.find(({ type }) => type === "call") };
}

describe("a message that was not sent", () => {
  test.each([0, -1])("from %i:0, as of the network itself, takes three queries", async (workchain) => {
    const source = { workchain, hash: new Uint8Array(32) };
    expect(await search({ source, destination: absent, createdLt: early })).toMatchObject({ found: undefined, queries: 3 });
  });

  test("from any other account takes three queries", async () => {
    const { message } = existing(delays[0]);
    expect(await search({ ...message, destination: absent })).toMatchObject({ found: undefined, queries: 3 });
  });
});

describe("a message that was received", () => {
  test("soon takes few queries", async () => {
    const soon = delays.filter(({ delay }) => delay < 2).slice(0, 10);
    expect(soon.length).toBe(10);
    for (const { message, consumer } of soon) {
      const { found, queries } = await search(message);
      expect(found).toMatchObject({ id: consumer.id });
      expect(queries).toBeLessThanOrEqual(12);
    }
  });

  test("late, by an account with a long history, takes few more", async () => {
    const late = delays.filter(({ delay }) => delay > 4).slice(0, 10);
    expect(late.length).toBe(10);
    for (const { message, consumer } of late) {
      const { found, queries, pages } = await search(message);
      expect(found).toMatchObject({ id: consumer.id });
      // The history since then has about ten pages.
      expect([queries, pages]).toEqual([expect.toSatisfy((count) => count < 25), expect.toSatisfy((count) => count < 6)]);
    }
  });
});

test("a search ends with its budget, and reports the number of its queries", async () => {
  const { message } = existing(delays.find(({ delay }) => delay > 4));
  const { found, queries, call } = await search(message, 9);
  expect(found).toMatchObject({ name: "LiteError", kind: "exhausted", status: 504, isRetryable: false });
  expect(String(found)).toContain("more than 9 queries to lite servers; ask a narrower question, or a service with an index");
  expect([queries, call]).toEqual([9, { type: "call", method: "findReceiver", queries: 9, isExhausted: true }]);
});
