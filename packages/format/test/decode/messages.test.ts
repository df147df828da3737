/** Messages and accounts written by another library and read by ours. */
import {
  Address,
  beginCell,
  Cell as CoreCell,
  type Message as CoreMessage,
  Dictionary,
  ExternalAddress,
  type StateInit,
  storeMessage,
  storeStateInit,
} from "@ton/core";
import { bigInt, boolean, assert as check, constantFrom, option, property, record, string, uint8Array } from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeAccount, decodeShardAccount } from "../../src/decode/account.ts";
import { decodeMessage } from "../../src/decode/message.ts";
import { fromCoreCell, toCoreCell } from "../core-cell.ts";

const hashes = uint8Array({ minLength: 32, maxLength: 32 });
const addresses = record({ workchain: constantFrom(-1, 0), hash: hashes });
const amounts = bigInt({ min: 0n, max: 2n ** 120n - 1n });
const bodies = uint8Array({ maxLength: 120 }).map((bytes) => beginCell().storeBuffer(Buffer.from(bytes)).endCell());
const inits = record({ code: option(bodies), data: option(bodies), ticks: boolean() }).map(
  ({ code, data, ticks }): StateInit => ({
    code: code ?? null,
    data: data ?? null,
    ...(ticks && { special: { tick: true, tock: false } }),
  }),
);

describe("decodeMessage", () => {
  test("reads every internal message as it was written, whether its parts stand inline or apart", () => {
    const messages = record({
      source: addresses,
      destination: addresses,
      coins: amounts,
      extra: option(bigInt({ min: 1n, max: 2n ** 64n })),
      ihrFee: amounts,
      forwardFee: amounts,
      createdLt: bigInt({ min: 0n, max: 2n ** 63n - 1n }),
      body: bodies,
      init: option(inits),
      apart: boolean(),
    });
    check(
      property(messages, ({ source, destination, coins, extra, ihrFee, forwardFee, createdLt, body, init, apart }) => {
        const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
        if (extra) other.set(7, extra);
        const cell = written(
          {
            info: {
              type: "internal",
              ihrDisabled: true,
              bounce: true,
              bounced: false,
              src: coreAddress(source),
              dest: coreAddress(destination),
              value: extra ? { coins, other } : { coins },
              ihrFee,
              forwardFee,
              createdLt,
              createdAt: 1_700_000_000,
            },
            ...(init && { init }),
            body,
          },
          apart,
        );
        const message = decodeMessage(fromCoreCell(cell));
        expect(message).toMatchObject({ source, destination, value: coins, ihrFee: 0n, forwardFee, createdLt });
        expect(message.extraCurrencies).toEqual(extra ? [{ id: 7, amount: extra }] : []);
        expect(hex(message.hash)).toBe(cell.hash().toString("hex"));
        expect(hex(message.bodyHash)).toBe(body.hash().toString("hex"));
        expect(toCoreCell(message.body).equals(body)).toBe(true);
        expect(message.initState && hex(message.initState.hash)).toBe(init ? initHash(init) : undefined);
      }),
      { numRuns: 300 },
    );
  });

  test("gives a message from outside no source, no value and no time of creation", () => {
    const cell = written({
      info: { type: "external-in", src: new ExternalAddress(5n, 9), dest: new Address(0, Buffer.alloc(32, 1)), importFee: 7n },
      body: beginCell().storeUint(1, 5).endCell(),
    });
    expect(decodeMessage(fromCoreCell(cell))).toMatchObject({
      destination: { workchain: 0, hash: new Uint8Array(32).fill(1) },
      value: 0n,
      forwardFee: 0n,
      createdLt: 0n,
    });
    expect(decodeMessage(fromCoreCell(cell))).not.toHaveProperty("source");
  });

  test("gives a message to outside no destination", () => {
    const cell = written({
      info: { type: "external-out", src: new Address(-1, Buffer.alloc(32, 1)), createdLt: 41n, createdAt: 9 },
      body: beginCell().endCell(),
    });
    expect(decodeMessage(fromCoreCell(cell))).toMatchObject({ source: { workchain: -1 }, createdLt: 41n });
    expect(decodeMessage(fromCoreCell(cell))).not.toHaveProperty("destination");
  });

  test("puts the bits of an anycast address in place of its first ones", () => {
    const cell = beginCell()
      .storeUint(0b10, 2)
      .storeUint(0, 2)
      .storeUint(0b10, 2)
      .storeUint(1, 1)
      .storeUint(9, 5)
      .storeUint(0b101010101, 9)
      .storeInt(0, 8)
      .storeBuffer(Buffer.alloc(32, 0xff))
      .storeUint(0, 4 + 1 + 1)
      .endCell();
    const expected = Buffer.alloc(32, 0xff);
    expected.writeUInt16BE(0b10101010_11111111);
    expect(decodeMessage(fromCoreCell(cell)).destination).toEqual({ workchain: 0, hash: new Uint8Array(expected) });
  });
});

describe("comments", () => {
  const comments = (body: CoreCell) =>
    decodeMessage(
      fromCoreCell(
        written({ info: { type: "external-in", dest: new Address(0, Buffer.alloc(32)), importFee: 0n }, body }, true),
      ),
    ).comment;

  test("joins text over as many cells as it takes", () => {
    check(
      property(string({ maxLength: 600, unit: "grapheme" }), (text) => {
        const body = beginCell().storeUint(0, 32).storeStringTail(text).endCell();
        expect(comments(body)).toMatchObject({ encrypted: false });
        expect(Buffer.from(comments(body)?.bytes ?? []).toString("utf8")).toBe(text);
      }),
      { numRuns: 100 },
    );
  });

  test("gives ciphertext as it is", () => {
    const body = beginCell().storeUint(0x2167da4b, 32).storeUint(0xfffe, 16).endCell();
    expect(comments(body)).toMatchObject({ encrypted: true });
    expect(hex(comments(body)?.bytes ?? Buffer.of())).toBe("fffe");
  });

  test.each([
    ["another op", beginCell().storeUint(1, 32).storeStringTail("hi").endCell()],
    ["no op", beginCell().storeUint(0, 31).endCell()],
    ["bits that are no bytes", beginCell().storeUint(0, 33).endCell()],
    ["bytes that are no UTF-8", beginCell().storeUint(0, 32).storeUint(0xff, 8).endCell()],
    ["two references", beginCell().storeUint(0, 32).storeRef(CoreCell.EMPTY).storeRef(CoreCell.EMPTY).endCell()],
  ])("finds none in a body with %s", (_what, body) => {
    expect(comments(body)).toBeUndefined();
  });
});

describe("decodeAccount", () => {
  const account = (state: ReturnType<typeof beginCell>, balance = 5n) =>
    beginCell()
      .storeBit(true)
      .storeAddress(new Address(0, Buffer.alloc(32, 3)))
      .storeVarUint(1, 3)
      .storeVarUint(100, 3)
      .storeUint(0, 3)
      .storeUint(1_700_000_000, 32)
      .storeMaybeCoins(11n)
      .storeUint(99n, 64)
      .storeCoins(balance)
      .storeBit(false)
      .storeBuilder(state)
      .endCell();

  test("calls an account with neither code nor frozen state uninitialized, whatever its balance", () => {
    expect(decodeAccount(fromCoreCell(account(beginCell().storeUint(0b00, 2))))).toEqual({
      status: "uninitialized",
      balance: 5n,
      extraCurrencies: [],
    });
    expect(decodeAccount(fromCoreCell(beginCell().storeBit(false).endCell()))).toMatchObject({
      status: "uninitialized",
      balance: 0n,
    });
  });

  test("gives the hash of a frozen account's state", () => {
    const frozenHash = Buffer.alloc(32, 9);
    const cell = account(beginCell().storeUint(0b01, 2).storeBuffer(frozenHash));
    const decoded = decodeAccount(fromCoreCell(cell));
    expect(decoded.status).toBe("frozen");
    expect(decoded.frozenHash && hex(decoded.frozenHash)).toBe(hex(frozenHash));
  });

  test("gives the code and data of an active account, and the id of its last transaction", () => {
    const code = beginCell().storeUint(1, 8).endCell();
    const data = beginCell().storeUint(2, 8).endCell();
    const cell = beginCell()
      .storeRef(account(beginCell().storeBit(true).store(storeStateInit({ code, data }))))
      .storeBuffer(Buffer.alloc(32, 4))
      .storeUint(77n, 64)
      .endCell();
    const decoded = decodeShardAccount(fromCoreCell(cell));
    expect(decoded).toMatchObject({ status: "active", balance: 5n, last: { lt: 77n } });
    expect(hex(decoded.last.hash)).toBe("04".repeat(32));
    expect(decoded.code && hex(decoded.code.hash)).toBe(code.hash().toString("hex"));
    expect(decoded.data && hex(decoded.data.hash)).toBe(data.hash().toString("hex"));
  });
});

function written(message: CoreMessage, apart = false): CoreCell {
  return beginCell()
    .store(storeMessage(message, { forceRef: apart }))
    .endCell();
}

function coreAddress({ workchain, hash }: { workchain: number; hash: Uint8Array }): Address {
  return new Address(workchain, Buffer.from(hash));
}

function initHash(init: StateInit): string {
  return beginCell().store(storeStateInit(init)).endCell().hash().toString("hex");
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
