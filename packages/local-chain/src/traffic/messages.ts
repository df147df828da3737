import { type Cell, CellBuilder } from "@chain-query/format/cells";
import { type Currencies, writeCurrencies } from "@chain-query/format/currencies";
import { type Contract, writeInitialState } from "../contracts/contract.ts";
import type { AccountId } from "../domain.ts";

/** A message between accounts, as a contract sends it. */
export interface InternalMessage {
  readonly to: AccountId;
  readonly value: Currencies;
  /** Does it come back where the destination refuses it? */
  readonly bounce: boolean;
  readonly body?: Cell;
  /** The contract that it brings with it. */
  readonly deploys?: Contract;
}

/** A TL-B MessageRelaxed: the source, the fees, the lt and the time are filled in where it is sent. */
export function internalMessage({ to, value, bounce, body, deploys }: InternalMessage): Cell {
  const builder = new CellBuilder().bit(false).bit(true).bit(bounce).bit(false).uint(0, 2);
  writeCurrencies(writeAddress(builder, to), value);
  builder.coins(0n).coins(0n).bigUint(0n, 64).uint(0, 32);
  return writeContent(builder, body, deploys).cell();
}

/** A TL-B Message from outside the network. */
export function externalMessage(to: AccountId, body: Cell, deploys?: Contract): Cell {
  const builder = writeAddress(new CellBuilder().uint(2, 2).uint(0, 2), to).coins(0n);
  return writeContent(builder, body, deploys).cell();
}

function writeAddress(builder: CellBuilder, { workchain, hash }: AccountId): CellBuilder {
  return builder.uint(4, 3).int(workchain, 8).bytes(hash);
}

/** The body stands in a cell of its own where there is one: so a body of any size fits. */
function writeContent(builder: CellBuilder, body: Cell | undefined, deploys: Contract | undefined): CellBuilder {
  if (deploys === undefined) builder.bit(false);
  else builder.bit(true).bit(true).ref(writeInitialState(new CellBuilder(), deploys).cell());
  return body === undefined ? builder.bit(false) : builder.bit(true).ref(body);
}
