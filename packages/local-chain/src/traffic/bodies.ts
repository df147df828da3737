import { type Cell, CellBuilder } from "@chain-query/format/cells";
import { type Order, writeOrders } from "../contracts/wallet.ts";
import { pick, type Random } from "./random.ts";

const ENCRYPTED = 0x2167da4b;
const RELAY = 0x72656c79;
/** Bytes of text that one cell takes besides the 32 bits of the op, and without them. */
const FIRST_BYTES = 123;
const NEXT_BYTES = 127;

/** A comment to be read by anybody: op 0, then UTF-8 bytes that go on in the next cell (snake). */
export function textComment(text: string): Cell {
  return snake(0, Buffer.from(text, "utf8"));
}

/** A comment for one reader: op 0x2167da4b, then ciphertext. These bytes are drawn, so nobody can read them. */
export function encryptedComment(random: Random): Cell {
  return snake(ENCRYPTED, random.bytes(48 + 16 * (1 + random.below(12))));
}

/** A body of some protocol of the sender's: an op that nobody here knows, then data, sometimes with a reference. */
export function rawPayload(random: Random): Cell {
  const builder = new CellBuilder().uint(0x1000_0000 + random.below(0x6000_0000), 32).bytes(random.bytes(8 + random.below(64)));
  if (random.below(3) === 0) builder.ref(new CellBuilder().bytes(random.bytes(32)).cell());
  return builder.cell();
}

/** What a relay is told: to send these messages. */
export function relayBody(orders: readonly Order[]): Cell {
  return writeOrders(new CellBuilder().uint(RELAY, 32), orders).cell();
}

const WORDS = [
  "rent",
  "for",
  "lunch",
  "thanks",
  "the",
  "book",
  "tickets",
  "café",
  "Größe",
  "привет",
  "order",
  "invoice",
  "🎉",
  "家賃",
];

/** A line that somebody could have written, with a number in it. */
export function comment(random: Random, words: number): string {
  const text = Array.from({ length: words }, () => pick(random, WORDS)).join(" ");
  return `${text} #${random.below(10_000)}`;
}

function snake(op: number, bytes: Uint8Array): Cell {
  const rest: Cell | undefined = bytes.length > FIRST_BYTES ? tail(bytes.subarray(FIRST_BYTES)) : undefined;
  const builder = new CellBuilder().uint(op, 32).bytes(bytes.subarray(0, FIRST_BYTES));
  return (rest ? builder.ref(rest) : builder).cell();
}

function tail(bytes: Uint8Array): Cell {
  const builder = new CellBuilder().bytes(bytes.subarray(0, NEXT_BYTES));
  return (bytes.length > NEXT_BYTES ? builder.ref(tail(bytes.subarray(NEXT_BYTES))) : builder).cell();
}
