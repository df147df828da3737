/** Decodes messages that `@ton/core` encoded. */

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
import { hex } from "../src/cells/index.ts";
import { decodeMessage } from "../src/messages.ts";
import { fromCoreCell, toCoreCell } from "./core-cell.ts";

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
  test("reads internal messages with state and body inline or in cells of their own", () => {
    const messages = record({
      source: addresses,
      destination: addresses,
      coins: amounts,
      extra: option(bigInt({ min: 1n, max: 2n ** 64n })),
      ihrDisabled: boolean(),
      ihrFee: amounts,
      forwardFee: amounts,
      createdLt: bigInt({ min: 0n, max: 2n ** 63n - 1n }),
      body: bodies,
      init: option(inits),
      separate: boolean(),
    });
    check(
      property(
        messages,
        ({ source, destination, coins, extra, ihrDisabled, ihrFee, forwardFee, createdLt, body, init, separate }) => {
          const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
          if (extra) other.set(7, extra).set(2 ** 32 - 17, 1n);
          const cell = encoded(
            {
              info: {
                type: "internal",
                ihrDisabled,
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
            separate,
          );
          const message = decodeMessage(fromCoreCell(cell));
          // Without IHR, the field has flags.
          const fees = { ihrFee: ihrDisabled ? 0n : ihrFee, forwardFee };
          expect(message).toMatchObject({ source, destination, value: coins, ...fees, createdLt });
          expect(message.extraCurrencies).toEqual(
            extra
              ? [
                  { id: 7, amount: extra },
                  { id: -17, amount: 1n },
                ]
              : [],
          );
          expect(hex(message.hash)).toBe(cell.hash().toString("hex"));
          expect(hex(message.bodyHash)).toBe(body.hash().toString("hex"));
          expect(toCoreCell(message.body).equals(body)).toBe(true);
          expect(message.initState && hex(message.initState.hash)).toBe(init ? initHash(init) : undefined);
        },
      ),
      { seed: 1, numRuns: 100 },
    );
  });

  test("reads a message from outside, without source, value and creation lt", () => {
    const cell = encoded({
      info: {
        type: "external-in",
        src: new ExternalAddress(5n, 9),
        dest: new Address(0, Buffer.alloc(32, 1)),
        importFee: 7n,
      },
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

  test("reads a message to outside, without destination", () => {
    const cell = encoded({
      info: { type: "external-out", src: new Address(-1, Buffer.alloc(32, 1)), createdLt: 41n, createdAt: 9 },
      body: beginCell().endCell(),
    });
    expect(decodeMessage(fromCoreCell(cell))).toMatchObject({ source: { workchain: -1 }, createdLt: 41n });
    expect(decodeMessage(fromCoreCell(cell))).not.toHaveProperty("destination");
  });
});

describe("readComment", () => {
  const comments = (body: CoreCell) =>
    decodeMessage(
      fromCoreCell(
        encoded({ info: { type: "external-in", dest: new Address(0, Buffer.alloc(32)), importFee: 0n }, body }, true),
      ),
    ).comment;

  test("joins text from a chain of cells", () => {
    check(
      property(string({ maxLength: 600, unit: "grapheme" }), (text) => {
        const body = beginCell().storeUint(0, 32).storeStringTail(text).endCell();
        expect(comments(body)).toMatchObject({ encrypted: false });
        expect(Buffer.from(comments(body)?.bytes ?? []).toString("utf8")).toBe(text);
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  test("returns ciphertext as it is", () => {
    const body = beginCell().storeUint(0x2167da4b, 32).storeUint(0xfffe, 16).endCell();
    expect(comments(body)).toMatchObject({ encrypted: true });
    expect(hex(comments(body)?.bytes ?? Buffer.of())).toBe("fffe");
  });

  const text = (bits = "") => {
    const body = beginCell().storeUint(0, 32);
    for (const bit of bits) body.storeBit(bit === "1");
    return body;
  };
  const memo = beginCell().storeStringTail("100500").endCell();
  const empty = CoreCell.EMPTY;
  const twenty = Array.from({ length: 20 }).reduce<CoreCell>(
    (next) => beginCell().storeStringTail("x").storeRef(next).endCell(),
    empty,
  );

  // As the reference node reads them: it follows first references, and joins the bits of all cells.
  test.each([
    ["no text", text(), ""],
    ["a byte order mark and a zero", text().storeBuffer(Buffer.from("\ufeffa\0")), "\ufeffa\0"],
    ["bytes that are not UTF-8", text().storeBuffer(Buffer.from("caf\xe9", "latin1")), "caf\xe9"],
    ["a second reference", text().storeStringTail("memo-").storeRef(memo).storeRef(empty), "memo-100500"],
    ["a second reference in its last cell", text().storeRef(beginCell().storeRef(empty).storeRef(memo).endCell()), ""],
    ["20 cells", text().storeRef(twenty), "x".repeat(20)],
    ["cells that end within bytes", text("01100").storeRef(beginCell().storeUint(0b001_0110_0010, 11).endCell()), "ab"],
    [
      "a byte of three cells",
      text("0").storeRef(beginCell().storeUint(3, 2).storeRef(beginCell().storeUint(1, 5).endCell()).endCell()),
      "a",
    ],
  ])("reads a body with %s", (_what, body, expected) => {
    const comment = comments(body.endCell()) ?? expect.fail("the body is no text");
    const encoding = expected.includes("\xe9") ? "latin1" : "utf8";
    expect(Buffer.from(comment.bytes).toString(encoding)).toBe(expected);
  });

  const library = beginCell().storeUint(2, 8).storeUint(0, 256).endCell({ exotic: true });
  test.each([
    ["another op", beginCell().storeUint(1, 32).storeStringTail("hi")],
    ["no op", beginCell().storeUint(0, 31)],
    ["a number of bits that is not a multiple of 8", text("0110")],
    ["ciphertext that ends within a byte", beginCell().storeUint(0x2167da4b, 32).storeUint(0, 9)],
    ["a cell that is not ordinary", text().storeRef(library)],
  ])("is undefined for a body with %s", (_what, body) => {
    expect(comments(body.endCell())).toBeUndefined();
  });
});

function encoded(message: CoreMessage, separate = false): CoreCell {
  return beginCell()
    .store(storeMessage(message, { forceRef: separate }))
    .endCell();
}

function coreAddress({ workchain, hash }: { workchain: number; hash: Uint8Array }): Address {
  return new Address(workchain, Buffer.from(hash));
}

function initHash(init: StateInit): string {
  return beginCell().store(storeStateInit(init)).endCell().hash().toString("hex");
}
