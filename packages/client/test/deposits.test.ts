import {
  Address,
  beginCell,
  Cell,
  type CommonMessageInfo,
  Dictionary,
  loadTransaction,
  type Message,
  storeTransaction,
  type Transaction,
  type TransactionDescription,
} from "@ton/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createClient, depositOf, isBounced } from "../src/index.ts";
import { documented, fakeFetch } from "../src/testing.ts";

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
const address = hash.map((bytes) => new Address(0, bytes));
const coins = fc.bigInt(0n, 2n ** 120n - 1n);
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });

const messageInfo: fc.Arbitrary<CommonMessageInfo> = fc.oneof(
  fc.record({
    type: fc.constant("internal" as const),
    ihrDisabled: fc.boolean(),
    bounce: fc.boolean(),
    bounced: fc.boolean(),
    src: address,
    dest: address,
    value: coins.map((value) => ({ coins: value })),
    ihrFee: coins,
    forwardFee: coins,
    createdLt: fc.bigInt(0n, 2n ** 64n - 1n),
    createdAt: fc.nat(),
  }),
  fc.record({ type: fc.constant("external-in" as const), dest: address, importFee: coins }),
);
const message: fc.Arbitrary<Message> = messageInfo.map((info) => ({ info, body: beginCell().endCell() }));

const messageSize = { cells: 1n, bits: 8n };
const details = {
  ...{ gasUsed: 5n, gasLimit: 9n, mode: 0, exitCode: -14, vmSteps: 3, vmInitStateHash: 0n, vmFinalStateHash: 0n },
  ...{ gasCredit: undefined, exitArg: undefined },
};
const ordinary: fc.Arbitrary<TransactionDescription> = fc.record({
  type: fc.constant("generic" as const),
  creditFirst: fc.boolean(),
  storagePhase: maybe(
    fc.record({
      storageFeesCollected: coins,
      storageFeesDue: maybe(coins),
      statusChange: fc.constantFrom("unchanged" as const, "frozen" as const, "deleted" as const),
    }),
  ),
  creditPhase: maybe(fc.record({ dueFeesCollected: maybe(coins), credit: coins.map((value) => ({ coins: value })) })),
  computePhase: fc.oneof(
    fc.record({
      type: fc.constant("skipped" as const),
      reason: fc.constantFrom("no-state" as const, "bad-state" as const, "no-gas" as const),
    }),
    // What follows the fees is in a cell of its own, which is not read.
    fc
      .record({ success: fc.boolean(), messageStateUsed: fc.boolean(), accountActivated: fc.boolean(), gasFees: coins })
      .map((phase) => ({ type: "vm" as const, ...phase, ...details })),
  ),
  actionPhase: fc.constant(undefined),
  bouncePhase: maybe(
    fc.oneof(
      fc.constant({ type: "negative-funds" as const }),
      coins.map((requiredForwardFees) => ({ type: "no-funds" as const, messageSize, requiredForwardFees })),
      coins.map((fees) => ({ type: "ok" as const, messageSize, messageFees: fees, forwardFees: fees })),
    ),
  ),
  aborted: fc.boolean(),
  destroyed: fc.boolean(),
});
const tick: TransactionDescription = {
  type: "tick-tock",
  isTock: false,
  storagePhase: { storageFeesCollected: 0n, storageFeesDue: undefined, statusChange: "unchanged" },
  computePhase: { type: "skipped", reason: "no-gas" },
  actionPhase: undefined,
  aborted: false,
  destroyed: false,
};

const transaction = fc
  .record({ inMessage: fc.option(message), description: fc.oneof({ weight: 9, arbitrary: ordinary }, fc.constant(tick)) })
  .map(
    ({ inMessage, description }): Transaction => ({
      ...{ address: 5n, lt: 7n, prevTransactionHash: 1n, prevTransactionLt: 6n, now: 1_700_000_000, outMessagesCount: 0 },
      ...{ oldStatus: "active", endStatus: "active", totalFees: { coins: 3n }, description },
      stateUpdate: { oldHash: Buffer.alloc(32), newHash: Buffer.alloc(32) },
      outMessages: Dictionary.empty<number, Message>(),
      inMessage,
      raw: Cell.EMPTY,
      hash: () => Buffer.alloc(32),
    }),
  );

/** How the responses of the API show it. */
function received(tx: Transaction, options?: { idx?: boolean; crc32?: boolean }): Parameters<typeof depositOf>[0] {
  const info = tx.inMessage?.info;
  const value = info?.type === "internal" ? String(info.value.coins) : "0";
  const data = beginCell().store(storeTransaction(tx)).endCell().toBoc(options).toString("base64");
  return { data, ...(info && { in_msg: { value } }) };
}

describe("depositOf and isBounced", () => {
  test("agree with another reader of transactions about every kind", () => {
    const property = fc.property(transaction, fc.boolean(), fc.boolean(), (tx, idx, crc32) => {
      const info = tx.inMessage?.info;
      const bounced = info?.type === "internal" && info.bounced;
      const returned = tx.description.type === "generic" && tx.description.bouncePhase?.type === "ok";
      const credited = info?.type === "internal" && !bounced && !returned ? info.value.coins : 0n;
      const response = received(tx, { idx, crc32 });
      expect([isBounced(response), depositOf(response)]).toEqual([bounced, credited]);
    });
    fc.assert(property, { seed: 39, numRuns: 300 });
  });

  // @ton/core does not write this reason.
  test.for([
    ["110", 0n],
    ["10", 5n],
  ] as const)("know how long the reason %s for no computation is", ([reason, deposit]) => {
    const bits = `0000${"0".repeat(3)}0${reason}00`;
    // A bounce phase that returned the value, and one without funds if the reason was read too far.
    const description = [...bits, ...(deposit === 0n ? "11" : "101")].reduce(
      (cell, bit) => cell.storeBit(bit === "1"),
      beginCell(),
    );
    const info = beginCell().storeUint(0b0100, 4);
    const messages = beginCell().storeBit(true).storeRef(info.endCell()).endCell();
    const cell = beginCell().storeUint(7, 4).storeRef(messages).storeRef(Cell.EMPTY).storeRef(description.endCell());
    const data = cell.endCell().toBoc().toString("base64");
    expect(depositOf({ data, in_msg: { value: "5" } })).toBe(deposit);
  });

  test("refuse what is not a transaction in one line, wherever it is cut", () => {
    const [tx] = fc.sample(transaction, { seed: 1, numRuns: 1 });
    const { data } = received(tx ?? expect.unreachable());
    const bytes = Buffer.from(data, "base64");
    const wrong = ["", "%", "AAAA", Cell.EMPTY.toBoc().toString("base64")];
    for (let length = 0; length < bytes.length; length++) wrong.push(bytes.subarray(0, length).toString("base64"));
    for (const text of wrong) {
      expect(() => isBounced({ data: text })).toThrow(
        new RangeError("data: expected the bag of cells of a transaction in base64"),
      );
    }
  });

  test("end in time for any bytes", () => {
    const [tx] = fc.sample(transaction, { seed: 1, numRuns: 1 });
    const bytes = Buffer.from(received(tx ?? expect.unreachable()).data, "base64");
    const property = fc.property(fc.nat(bytes.length - 1), fc.nat(255), (position, value) => {
      const changed = Buffer.from(bytes);
      changed[position] = value;
      try {
        expect(typeof depositOf({ data: changed.toString("base64"), in_msg: { value: "1" } })).toBe("bigint");
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    });
    fc.assert(property, { seed: 39, numRuns: 500 });
  });
});

test("the documented chain has a bounced transfer that is no deposit, in the history of any account but the documented one", async () => {
  const chain = createClient({ baseUrl: "http://node.test", rateLimit: false, fetch: fakeFetch(documented) });
  const { transactions } = await chain.getTransactionsStd({ address: "EQCzs-U0UC85d2pjSzqVZTOseVLjy2zHcyBRwVLbyhWzd-Yz" });
  const [returned, ...others] = transactions.filter(isBounced);
  expect(others).toEqual([]);
  const message = loadTransaction(Cell.fromBase64(returned?.data ?? "").beginParse()).inMessage;
  expect(message?.info).toMatchObject({ bounced: true });
  expect(message?.body.hash().toString("base64")).toBe(returned?.in_msg?.body_hash);
  expect(BigInt(returned?.in_msg?.value ?? 0)).toBeGreaterThan(0n);
  expect(returned && depositOf(returned)).toBe(0n);
  const received = transactions.reduce((sum, { in_msg }) => sum + BigInt(in_msg?.value ?? 0), 0n);
  const deposits = transactions.reduce((sum, transaction) => sum + depositOf(transaction), 0n);
  expect(received - deposits).toBe(BigInt(returned?.in_msg?.value ?? 0));
});
