import { type Cell, CellBuilder, readBoc } from "@chain-query/format/cells";
import { code } from "./code.gen.ts";

/** The contracts of a local chain, by the name of their source in contracts/. */
export type ContractName = keyof typeof code;

/** What an account is made from: its code, its first data, and whether the clock starts it (masterchain only). */
export interface Contract {
  readonly code: Cell;
  readonly data: Cell;
  readonly isStartedByClock: boolean;
}

const codes: ReadonlyMap<string, Cell> = new Map(
  Object.entries(code).map(([name, boc]) => [name, readBoc(Buffer.from(boc, "base64"))]),
);

/** A contract with its first data. */
export function contract(name: ContractName, data: Cell): Contract {
  return { code: codes.get(name) as Cell, data, isStartedByClock: name === "clock" };
}

/** The contract as a message brings it (TL-B StateInit). Its hash is the account's address. */
export function initialState(of: Contract): Cell {
  return writeInitialState(new CellBuilder(), of).cell();
}

/** Writes a TL-B StateInit without libraries. */
export function writeInitialState(builder: CellBuilder, { code, data, isStartedByClock }: Contract): CellBuilder {
  builder.bit(false).bit(isStartedByClock);
  if (isStartedByClock) builder.bit(true).bit(true);
  return builder.maybeRef(code).maybeRef(data).bit(false);
}
