import { readFileSync } from "node:fs";
import {
  Address,
  beginCell,
  Dictionary,
  loadShardAccount,
  loadSimpleLibrary,
  type SimpleLibrary,
  storeSimpleLibrary,
  storeStateInit,
} from "@ton/core";
import { describe, expect, test } from "vitest";
import {
  decodeAccount,
  decodeShardAccount,
  isSuspended,
  readAccountLibraries,
  readShardAccount,
  readSuspendedList,
} from "../src/accounts.ts";
import { type Cell, CellBuilder, hex, readBocRoots } from "../src/cells/index.ts";
import { fromCoreCell, toCoreCell } from "./core-cell.ts";

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

  test("reads an account without code and frozen state as uninitialized", () => {
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

  test("reads the hash of a frozen account's state", () => {
    const frozenHash = Buffer.alloc(32, 9);
    const cell = account(beginCell().storeUint(0b01, 2).storeBuffer(frozenHash));
    const decoded = decodeAccount(fromCoreCell(cell));
    expect(decoded.status).toBe("frozen");
    expect(decoded.frozenHash && hex(decoded.frozenHash)).toBe(hex(frozenHash));
  });

  test("reads code and data of an active account, and the id of its last transaction", () => {
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
    expect(decoded.libraries).toBeUndefined();
  });

  test("reads the libraries of an active account; one under another key than its hash is not public", () => {
    const roots = [1, 2, 3].map((number) => beginCell().storeUint(number, 8).endCell());
    const libraries = Dictionary.empty(Dictionary.Keys.BigUint(256), {
      serialize: (library: SimpleLibrary, builder) => void builder.store(storeSimpleLibrary(library)),
      parse: loadSimpleLibrary,
    });
    const keys = roots.map((root) => BigInt(`0x${root.hash().toString("hex")}`));
    for (const [i, root] of roots.entries()) libraries.set((keys[i] ?? 0n) + (i === 2 ? 1n : 0n), { public: i > 0, root });
    const code = beginCell().storeUint(1, 8).endCell();
    const cell = account(beginCell().storeBit(true).store(storeStateInit({ code, libraries })));
    const decoded = decodeAccount(fromCoreCell(cell)).libraries ?? expect.fail("the account has no libraries");
    const read = Array.from(readAccountLibraries(decoded), ({ root, isPublic }) => `${hex(root.hash)} ${isPublic}`);
    const expected = roots.map((root, i) => `${root.hash().toString("hex")} ${i === 1}`);
    expect(read.sort()).toEqual(expected.sort());
  });
});

describe("isSuspended", () => {
  const listed = { workchain: 0, hash: new Uint8Array(32).fill(7) };
  const addresses = Dictionary.empty(Dictionary.Keys.Buffer(36), Dictionary.Values.Uint(0));
  for (const workchain of [0, -1]) {
    const key = Buffer.alloc(36, 7);
    key.writeInt32BE(workchain);
    addresses.set(key, 0);
  }
  const end = 1_803_189_600;
  const list = fromCoreCell(beginCell().storeUint(0, 8).storeDict(addresses).storeUint(end, 32).endCell());
  const parameters = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.Cell());
  const configOf = () => fromCoreCell(beginCell().storeDictDirect(parameters.set(8, beginCell().endCell())).endCell());

  test.each([
    ["a listed account", listed, end - 1, true],
    ["a listed account of the masterchain", { ...listed, workchain: -1 }, 0, true],
    ["a listed account, when the list has ended", listed, end, false],
    ["another account", { ...listed, hash: new Uint8Array(32).fill(8) }, 0, false],
    ["the account of another workchain", { ...listed, workchain: 1 }, 0, false],
  ])("%s", (_what, account, time, expected) => {
    expect(isSuspended(list, account, time)).toBe(expected);
  });

  test("reads the list of a configuration, which may have none, or an empty one", () => {
    expect(isSuspended(readSuspendedList(configOf()), listed, 0)).toBe(false);
    parameters.set(44, toCoreCell(list));
    expect(isSuspended(readSuspendedList(configOf()), listed, 0)).toBe(true);
    const empty = fromCoreCell(beginCell().storeUint(0, 8).storeBit(false).storeUint(end, 32).endCell());
    expect(isSuspended(empty, listed, 0)).toBe(false);
  });
});

describe("readShardAccount", () => {
  test("reads the same with and without the account's cells", () => {
    // The account after its second execution, with two extra currencies.
    const cell = readBocRoots(readFileSync(new URL("fixtures/executions.boc", import.meta.url)))[8] as Cell;
    const core = loadShardAccount(toCoreCell(cell).beginParse());
    const [kept, digest] = [readShardAccount(cell, "cell"), readShardAccount(cell, "digest")];
    expect(kept).toMatchObject({
      balance: {
        coins: core.account?.storage.balance.coins,
        extra: [
          { id: 7, amount: 3n },
          { id: 100, amount: 4995n },
        ],
      },
      lastLt: core.lastTransactionLt,
    });
    expect(kept?.account).toBe(cell.refs[0]);
    expect(Buffer.from(kept?.lastHash ?? []).toString("hex")).toBe(core.lastTransactionHash.toString(16).padStart(64, "0"));
    expect(digest).toMatchObject({ balance: kept?.balance, lastLt: kept?.lastLt, lastHash: kept?.lastHash });
    expect(digest?.account).toEqual({ hash: cell.refs[0]?.hash, depth: cell.refs[0]?.depth });
  });

  test("is undefined if the account does not exist", () => {
    const none = new CellBuilder().ref(new CellBuilder().bit(false).cell()).bytes(new Uint8Array(32)).bigUint(0n, 64).cell();
    expect(readShardAccount(none, "cell")).toBeUndefined();
  });
});
