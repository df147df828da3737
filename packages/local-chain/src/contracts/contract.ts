import { type Cell, CellBuilder, readBoc } from "@chain-query/format/cells";
import { code } from "./code.gen.ts";

/** The contracts of a local chain, by the name of their source in contracts/. */
export type ContractName = keyof typeof code;

/** The initial state of an account. */
export interface Contract {
  readonly code: Cell;
  readonly data: Cell;
  /** Whether the account has tick-tock transactions (masterchain only). */
  readonly isTickTock: boolean;
}

const codes: ReadonlyMap<string, Cell> = new Map(
  Object.entries(code).map(([name, boc]) => [name, readBoc(Buffer.from(boc, "base64"))]),
);

export function contract(name: ContractName, data: Cell): Contract {
  return { code: codes.get(name) as Cell, data, isTickTock: name === "clock" };
}

/** TL-B StateInit. Its hash is the account's address. */
export function initialState(of: Contract): Cell {
  return writeInitialState(new CellBuilder(), of).cell();
}

/** Writes a TL-B StateInit without libraries. */
export function writeInitialState(builder: CellBuilder, { code, data, isTickTock }: Contract): CellBuilder {
  builder.bit(false).bit(isTickTock);
  if (isTickTock) builder.bit(true).bit(true);
  return builder.maybeRef(code).maybeRef(data).bit(false);
}
