import { bytesOf, realCells } from "@chain-query/block-walker/recorded-cells";
import { readShardAccount } from "@chain-query/format/accounts";
import { CellBuilder, readBoc } from "@chain-query/format/cells";
import { beginCell, type Cell as CoreCell, loadShardAccount } from "@ton/core";
import { describe, expect, test } from "vitest";
import { party } from "../block/parties.ts";
import { fromCoreCell, toCoreCell } from "../core-cell.ts";

describe("readShardAccount", () => {
  test("reads the same whether the account's cells are kept or not", () => {
    const { cell } = party(0, 0x11, 1, 77n, [[5, 9n]]);
    const filled = new CellBuilder()
      .ref(cell.refs[0] ?? cell)
      .bytes(new Uint8Array(32).fill(8))
      .bigUint(12n, 64)
      .cell();
    const [kept, digest] = [readShardAccount(filled, "cell"), readShardAccount(filled, "digest")];
    expect(kept).toMatchObject({ balance: { coins: 77n, extra: [{ id: 5, amount: 9n }] }, lastLt: 12n });
    expect(kept?.account).toBe(cell.refs[0]);
    expect(kept?.lastHash).toEqual(new Uint8Array(32).fill(8));
    expect(digest).toMatchObject({ balance: kept?.balance, lastLt: 12n, lastHash: kept?.lastHash });
    expect(digest?.account).toEqual({ hash: cell.refs[0]?.hash, depth: cell.refs[0]?.depth });
    expect(loadShardAccount(toCoreCell(filled).beginParse()).account?.storage.balance.coins).toBe(77n);
  });

  test("finds none where there is none", () => {
    const none = new CellBuilder().ref(new CellBuilder().bit(false).cell()).bytes(new Uint8Array(32)).bigUint(0n, 64).cell();
    expect(readShardAccount(none, "cell")).toBeUndefined();
  });

  test("reads real accounts' balances", () => {
    const [file] = realCells("accounts").filter(({ file }) => file.endsWith("accountStateTest.boc"));
    const read = (bytes: Uint8Array) => {
      const account = readBoc(bytes);
      const cell = new CellBuilder().ref(account).bytes(new Uint8Array(32)).bigUint(0n, 64).cell();
      return readShardAccount(cell, "digest")?.balance.coins;
    };
    expect(file && read(bytesOf(file))).toBe(file && 792_461_252_367n);
  });

  test("refuses storage information of a kind that there is not", () => {
    const head = beginCell()
      .storeUint(0b1100, 4)
      .storeUint(0, 8 + 256)
      .storeUint(0, 6);
    const account = fromCoreCell(head.storeUint(7, 3).endCell() as CoreCell);
    const cell = new CellBuilder().ref(account).cell();
    expect(() => readShardAccount(cell, "cell")).toThrow("an account's storage information is of an unknown kind");
  });
});
