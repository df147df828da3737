/** The contracts of a local chain: their initial states, the keys of wallet owners, and orders to wallets. */

import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { type Cell, CellBuilder, CellReader, readBoc } from "@chain-query/format/cells";
import { code } from "./code.gen.ts";

/** The contracts of a local chain, by the name of their source in contracts/. */
type ContractName = keyof typeof code;

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

/** The key pair of a wallet's owner, or of a validator. */
export interface Owner {
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Ed25519 signature, 64 bytes. */
  sign(bytes: Uint8Array): Uint8Array;
}

/** PKCS #8 prefix of an Ed25519 private key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

/** @param privateKey - 32 bytes. */
export function owner(privateKey: Uint8Array): Owner {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, privateKey]), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32);
  return { publicKey: new Uint8Array(publicKey), sign: (bytes) => sign(null, bytes, key) };
}

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
