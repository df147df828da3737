import { describe, expect, test } from "vitest";
import type { Tables } from "../../src/store/tables.ts";
import { ChainFault } from "../../src/verify/compared-tables.ts";
import { flip, keysOf, pick, valueAt, verifiedAfter } from "./changed-chain.ts";

const CHECKED = [
  ...(["transactions", "versions", "accounts", "blocks", "blockData"] as const),
  ...(["states", "blocksByLt", "blocksByTime", "messages", "cells"] as const),
];

type Change = (tables: Tables, name: (typeof CHECKED)[number], key: Buffer) => unknown;
const CHANGES: Readonly<Record<string, Change>> = {
  "a changed byte": (tables, name, key) => flip(tables, name, key, 0.1, 1),
  "a changed byte near the end": (tables, name, key) => flip(tables, name, key, 0.9, 0x80),
  "a removed record": (tables, name, key) => tables[name].removeSync(key),
  "an added record": (tables, name, key) =>
    tables[name].putSync(Buffer.concat([key.subarray(0, -1), Buffer.of(0xee)]), valueAt(tables, name, key)),
  "a record in the place of another one": (tables, name, key) => {
    const isOther = (one: Buffer) => !valueAt(tables, name, one).equals(valueAt(tables, name, key));
    const other = keysOf(tables, name).find(isOther);
    // All code is one cell.
    if (other) tables[name].putSync(key, valueAt(tables, name, other));
    else tables[name].removeSync(key);
  },
};

describe.each(CHECKED)("verifyChain finds in the table %s", (name) => {
  test.each(Object.entries(CHANGES))("%s", async (what, change) => {
    const place = Object.keys(CHANGES).indexOf(what) / 5 + 0.05;
    const verified = verifiedAfter((tables) => change(tables, name, pick(keysOf(tables, name), place)));
    await expect(verified).rejects.toThrow(ChainFault);
  });
});

test.each([0.1, 0.3, 0.5, 0.7, 0.9])("verifyChain finds a changed byte at %d of the head", async (where) => {
  await expect(verifiedAfter((tables) => flip(tables, "meta", Buffer.from("head"), where, 1))).rejects.toThrow(ChainFault);
});

test.each(["shard/", "queue/", "config", "past/"])(
  "verifyChain finds a changed byte in the producer's state: %s",
  async (prefix) => {
    for (const where of [0.2, 0.8]) {
      const verified = verifiedAfter((tables) => {
        const keys = keysOf(tables, "producer").filter((key) => key.toString().startsWith(prefix));
        flip(tables, "producer", pick(keys, where), where, 1);
      });
      await expect(verified).rejects.toThrow(/producer's state/);
    }
  },
);
