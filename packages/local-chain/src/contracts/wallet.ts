import { type Cell, CellBuilder, CellReader } from "@chain-query/format/cells";
import { type Contract, contract } from "./contract.ts";
import type { Owner } from "./owner.ts";

/** A message that a contract sends on request. Mode flags: 1 pays fees separately, 2 ignores errors, 64 adds the incoming value, 128 sends all. */
export interface Order {
  readonly mode: number;
  readonly message: Cell;
}

/** The most orders in one message to a wallet or a relay. */
export const MAX_ORDERS = 4;

/** A wallet before its first order. The wallets of one owner differ by `walletId`. */
export function wallet(owner: Owner, walletId: number): Contract {
  return contract("wallet", new CellBuilder().uint(walletId, 32).uint(0, 32).bytes(owner.publicKey).cell());
}

/** The seqno of the next order, from the wallet's data. */
export function walletSeqno(data: Cell): number {
  return new CellReader(data).skip(32).uint(32);
}

/**
 * The signed body of an external message that makes a wallet send messages.
 *
 * @param validUntil - Unix seconds.
 */
export function walletOrder(owner: Owner, walletId: number, validUntil: number, seqno: number, orders: readonly Order[]): Cell {
  const order = new CellBuilder().uint(walletId, 32).uint(validUntil, 32).uint(seqno, 32);
  const body = writeOrders(order, orders).cell();
  return new CellBuilder().bytes(owner.sign(body.hash)).append(body).cell();
}

/** Writes orders in the form of wallets and relays: for each a mode (8 bits) and a reference to the message. */
export function writeOrders(builder: CellBuilder, orders: readonly Order[]): CellBuilder {
  for (const { mode, message } of orders) builder.uint(mode, 8).ref(message);
  return builder;
}
