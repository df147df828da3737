import { type Cell, CellBuilder } from "@chain-query/format/cells";
import { type Currencies, writeCurrencies } from "@chain-query/format/currencies";
import { type AccountId, writeAddress } from "@chain-query/format/identifiers";
import { type Contract, type Order, writeInitialState, writeOrders } from "../contracts/contract.ts";
import { pick, type Random } from "../random.ts";

/** A message between accounts, as a contract sends it. */
export interface InternalMessage {
  readonly to: AccountId;
  readonly value: Currencies;
  /** Whether the value returns if the destination fails. */
  readonly bounce: boolean;
  readonly body?: Cell;
  /** The contract that the message deploys. */
  readonly deploys?: Contract;
}

/** A TL-B MessageRelaxed. The sender's transaction fills in source, fees, lt and time. */
export function internalMessage({ to, value, bounce, body, deploys }: InternalMessage): Cell {
  const builder = new CellBuilder().bit(false).bit(true).bit(bounce).bit(false).uint(0, 2);
  writeCurrencies(writeAddress(builder, to), value);
  builder.coins(0n).coins(0n).bigUint(0n, 64).uint(0, 32);
  return writeContent(builder, body, deploys).cell();
}

/** A TL-B Message of kind ext_in_msg_info. */
export function externalMessage(to: AccountId, body: Cell, deploys?: Contract): Cell {
  const builder = writeAddress(new CellBuilder().uint(2, 2).uint(0, 2), to).coins(0n);
  return writeContent(builder, body, deploys).cell();
}

/** The body is a reference, so that a body of any size fits. */
function writeContent(builder: CellBuilder, body: Cell | undefined, deploys: Contract | undefined): CellBuilder {
  if (deploys === undefined) builder.bit(false);
  else builder.bit(true).bit(true).ref(writeInitialState(new CellBuilder(), deploys).cell());
  return body === undefined ? builder.bit(false) : builder.bit(true).ref(body);
}

const ENCRYPTED = 0x2167da4b;
const RELAY = 0x72656c79;
/** Bytes of text in the first cell, after the 32 bits of the op, and in each further cell. */
const FIRST_BYTES = 123;
const NEXT_BYTES = 127;

/** The body of a text comment: op 0, then UTF-8 bytes in snake format. */
export function textComment(text: string): Cell {
  return snake(0, Buffer.from(text, "utf8"));
}

/** The body of an encrypted comment: op 0x2167da4b, then random bytes in place of a ciphertext. */
export function encryptedComment(random: Random): Cell {
  return snake(ENCRYPTED, random.bytes(48 + 16 * (1 + random.below(12))));
}

/** The body of an unknown protocol: a random op and data, sometimes with a reference. */
export function rawPayload(random: Random): Cell {
  const builder = new CellBuilder().uint(0x1000_0000 + random.below(0x6000_0000), 32).bytes(random.bytes(8 + random.below(64)));
  if (random.below(3) === 0) builder.ref(new CellBuilder().bytes(random.bytes(32)).cell());
  return builder.cell();
}

/** The body that makes a relay send messages. */
export function relayBody(orders: readonly Order[]): Cell {
  return writeOrders(new CellBuilder().uint(RELAY, 32), orders).cell();
}

// biome-ignore format: one line
const WORDS = ["rent", "for", "lunch", "thanks", "the", "book", "tickets", "café", "Größe", "привет", "order", "invoice", "🎉", "家賃"];

/** A random line of text with a number. */
export function randomText(random: Random, words: number): string {
  const text = Array.from({ length: words }, () => pick(random, WORDS)).join(" ");
  return `${text} #${random.below(10_000)}`;
}

function snake(op: number, bytes: Uint8Array): Cell {
  return chained(new CellBuilder().uint(op, 32), bytes, FIRST_BYTES);
}

function chained(builder: CellBuilder, bytes: Uint8Array, fit: number): Cell {
  builder.bytes(bytes.subarray(0, fit));
  return (bytes.length > fit ? builder.ref(chained(new CellBuilder(), bytes.subarray(fit), NEXT_BYTES)) : builder).cell();
}
