import { type Cell, CellBuilder } from "@chain-query/format/cells";
import { type Currencies, coinsOnly, writeCurrencies } from "@chain-query/format/currencies";
import { type AccountId, writeAddress } from "@chain-query/format/identifiers";
import { type Contract, writeInitialState } from "../contracts/contract.ts";

/** An account of a zero state. */
export interface GenesisAccount {
  readonly id: AccountId;
  readonly balance: Currencies;
  /** Absent for an uninitialized account. */
  readonly contract?: Contract;
  /** Unix seconds until which its storage is paid; 0 for accounts that never pay. */
  readonly paidUntil: number;
}

/** TL-B ShardAccount of an account without transactions. */
export function genesisShardAccount(account: GenesisAccount): Cell {
  return new CellBuilder().ref(accountCell(account)).bytes(new Uint8Array(32)).bigUint(0n, 64).cell();
}

/** TL-B ShardAccount of an account that does not exist. */
export function absentShardAccount(): Cell {
  return new CellBuilder().ref(new CellBuilder().bit(false).cell()).bytes(new Uint8Array(32)).bigUint(0n, 64).cell();
}

/** TL-B Account. */
function accountCell({ id, balance, contract, paidUntil }: GenesisAccount): Cell {
  const storage = writeStorage(new CellBuilder(), balance, contract).cell();
  // Since global version 10 the dictionary of extra currencies is not part of the paid storage.
  const used = storageUsed(writeStorage(new CellBuilder(), coinsOnly(balance.coins), contract).cell());
  return writeAddress(new CellBuilder().bit(true), id)
    .varUint(BigInt(used.cells), 3)
    .varUint(BigInt(used.bits), 3)
    .uint(0, 3)
    .uint(paidUntil, 32)
    .bit(false)
    .append(storage)
    .cell();
}

/** TL-B AccountStorage with last lt 0. */
function writeStorage(builder: CellBuilder, balance: Currencies, contract: Contract | undefined): CellBuilder {
  writeCurrencies(builder.bigUint(0n, 64), balance);
  return contract === undefined ? builder.uint(0, 2) : writeInitialState(builder.bit(true), contract);
}

/** The paid storage: distinct cells of the AccountStorage, and their bits. */
function storageUsed(root: Cell): { readonly cells: number; readonly bits: number } {
  const seen = new Set<string>();
  let bits = 0;
  const waiting = [root];
  for (let cell = waiting.pop(); cell; cell = waiting.pop()) {
    const name = Buffer.from(cell.hash).toString("base64");
    if (seen.has(name)) continue;
    seen.add(name);
    bits += cell.bitLength;
    waiting.push(...cell.refs);
  }
  return { cells: seen.size, bits };
}
