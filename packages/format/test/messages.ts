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

/** Writes messages with `@ton/core`, and reads them. */
export function testMessages(runs: number): void {
  describe("decodeMessage", () => {
    test("reads internal messages with state and body inline or in cells of their own", () => {
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
        separate: boolean(),
      });
      check(
        property(messages, ({ source, destination, coins, extra, ihrFee, forwardFee, createdLt, body, init, separate }) => {
          const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
          if (extra) other.set(7, extra);
          const cell = encoded(
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
            separate,
          );
          const message = decodeMessage(fromCoreCell(cell));
          expect(message).toMatchObject({ source, destination, value: coins, ihrFee: 0n, forwardFee, createdLt });
          expect(message.extraCurrencies).toEqual(extra ? [{ id: 7, amount: extra }] : []);
          expect(hex(message.hash)).toBe(cell.hash().toString("hex"));
          expect(hex(message.bodyHash)).toBe(body.hash().toString("hex"));
          expect(toCoreCell(message.body).equals(body)).toBe(true);
          expect(message.initState && hex(message.initState.hash)).toBe(init ? initHash(init) : undefined);
        }),
        { seed: 1, numRuns: runs },
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
        { seed: 1, numRuns: runs },
      );
    });

    test("returns ciphertext as it is", () => {
      const body = beginCell().storeUint(0x2167da4b, 32).storeUint(0xfffe, 16).endCell();
      expect(comments(body)).toMatchObject({ encrypted: true });
      expect(hex(comments(body)?.bytes ?? Buffer.of())).toBe("fffe");
    });

    test.each([
      ["another op", beginCell().storeUint(1, 32).storeStringTail("hi").endCell()],
      ["no op", beginCell().storeUint(0, 31).endCell()],
      ["a number of bits that is not a multiple of 8", beginCell().storeUint(0, 33).endCell()],
      ["invalid UTF-8", beginCell().storeUint(0, 32).storeUint(0xff, 8).endCell()],
      ["two references", beginCell().storeUint(0, 32).storeRef(CoreCell.EMPTY).storeRef(CoreCell.EMPTY).endCell()],
    ])("is undefined for a body with %s", (_what, body) => {
      expect(comments(body)).toBeUndefined();
    });
  });
}

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
