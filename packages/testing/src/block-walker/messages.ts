import type { Cell, Slice } from "@ton/core";
import { type Amounts, coins, NOTHING, plus, readAmounts, readVarUint, text } from "./amounts.ts";
import { must, mustEqual, type Sum, walkAugmentedE } from "./dictionary.ts";

/** The header of a message. */
interface WalkedMessage {
  readonly hash: string;
  readonly kind: "internal" | "external-in" | "external-out";
  readonly value: Amounts;
  readonly forwardFee: bigint;
  readonly createdLt: bigint;
  readonly destination: { readonly workchain: number; readonly hash: bigint } | undefined;
}

/** Message, without state and body. */
function readMessage(cell: Cell): WalkedMessage {
  const slice = cell.beginParse();
  const hash = cell.hash().toString("hex");
  const bare = { hash, value: NOTHING, forwardFee: 0n, createdLt: 0n };
  if (slice.loadBit()) {
    const isOut = slice.loadBit();
    readAddress(slice);
    const destination = readAddress(slice);
    const createdLt = isOut ? slice.loadUintBig(64) : 0n;
    return { ...bare, kind: isOut ? "external-out" : "external-in", createdLt, destination };
  }
  const hasIhrFee = !slice.loadBit();
  slice.skip(2);
  must(readAddress(slice) !== undefined, "an internal message has no source");
  const destination = readAddress(slice);
  const value = readAmounts(slice);
  // Flags if IHR is disabled, otherwise the fee for it, which the receiver gets.
  const ihrFee = readVarUint(slice, 4);
  const forwardFee = readVarUint(slice, 4);
  const carried = hasIhrFee ? plus(value, coins(ihrFee)) : value;
  return { kind: "internal", hash, value: carried, forwardFee, createdLt: slice.loadUintBig(64), destination };
}

function readAddress(slice: Slice): WalkedMessage["destination"] {
  const kind = slice.loadUint(2);
  if (kind === 0) return undefined;
  if (kind === 1) {
    slice.skip(slice.loadUint(9));
    return undefined;
  }
  must(kind === 2 && !slice.loadBit(), "an address is not an addr_std without anycast");
  return { workchain: slice.loadInt(8), hash: slice.loadUintBig(256) };
}

/** MsgEnvelope, and the message in it. */
interface Enveloped extends WalkedMessage {
  readonly envelopeHash: string;
  readonly feeLeft: bigint;
  readonly currentBits: number;
  readonly nextBits: number;
}

export function readEnvelope(cell: Cell): Enveloped {
  const slice = cell.beginParse();
  const tag = slice.loadUint(4);
  must(tag === 4 || tag === 5, `an envelope has tag ${tag}`);
  const [currentBits, nextBits] = [slice, slice].map((from) => {
    must(!from.loadBit(), "an IntermediateAddress is not interm_addr_regular");
    return from.loadUint(7);
  });
  const feeLeft = readVarUint(slice, 4);
  const message = readMessage(slice.loadRef());
  if (tag === 5) skipVersion2(slice);
  mustEqual(slice.remainingBits, 0, "bits after an envelope");
  return {
    ...message,
    envelopeHash: cell.hash().toString("hex"),
    feeLeft,
    currentBits: currentBits as number,
    nextBits: nextBits as number,
  };
}

/** The additional fields of msg_envelope_v2: emitted_lt and metadata. */
function skipVersion2(slice: Slice): void {
  if (slice.loadBit()) slice.skip(64);
  if (!slice.loadBit()) return;
  mustEqual(slice.loadUint(4), 0, "tag of an envelope's metadata");
  slice.skip(32);
  readAddress(slice);
  slice.skip(64);
}

/** An InMsg or OutMsg. */
export interface Described {
  readonly tag: string;
  readonly message: string;
  /** Hashes of the transaction, the envelope and the InMsg that it refers to. */
  readonly transaction?: string;
  readonly envelope?: string;
  readonly imported?: string;
  /** Hash of the entry's value as a cell. */
  readonly hash: string;
}

function total({ value, feeLeft }: Enveloped): Amounts {
  return plus(value, coins(feeLeft));
}

type Imports = Readonly<Record<"fees" | "value", Amounts>>;

const IMPORTS: Sum<Imports> = {
  read: (slice) => ({ fees: coins(readVarUint(slice, 4)), value: readAmounts(slice) }),
  combine: (a, b) => ({ fees: plus(a.fees, b.fees), value: plus(a.value, b.value) }),
  text: ({ fees, value }) => `${text(fees)} | ${text(value)}`,
};

/** InMsgDescr: its extra, and the entries by message hash. */
export function walkInMessages(cell: Cell): { sum: Imports; entries: Map<string, Described> } {
  const entries = new Map<string, Described>();
  const sum = walkAugmentedE(cell.beginParse(), 256, IMPORTS, { fees: NOTHING, value: NOTHING }, (key, slice) => {
    const hash = slice.asCell().hash().toString("hex");
    const { described, extra } = readIn(slice, hash);
    mustEqual(described.message, key.toString(16).padStart(64, "0"), "key of an inbound message");
    mustEqual(slice.remainingBits, 0, "bits after an inbound message");
    entries.set(described.message, described);
    return extra;
  });
  return { sum, entries };
}

function readIn(slice: Slice, hash: string): { described: Described; extra: Imports } {
  const tag = slice.loadUint(3).toString(2).padStart(3, "0");
  if (tag === "000") {
    const message = readMessage(slice.loadRef());
    mustEqual(message.kind, "external-in", "kind of a message from outside");
    const described = { tag, message: message.hash, transaction: hashOf(slice.loadRef()), hash };
    return { described, extra: { fees: NOTHING, value: NOTHING } };
  }
  must(tag === "011" || tag === "100" || tag === "101", `an inbound message has tag ${tag}`);
  const envelope = readEnvelope(slice.loadRef());
  const described: Described = { tag, message: envelope.hash, envelope: envelope.envelopeHash, hash };
  if (tag === "101") {
    const onward = readEnvelope(slice.loadRef());
    const fee = readVarUint(slice, 4);
    mustEqual(fee + onward.feeLeft, envelope.feeLeft, "transit fee and remaining fee");
    return { described, extra: { fees: coins(fee), value: total(envelope) } };
  }
  const transaction = hashOf(slice.loadRef());
  const fee = readVarUint(slice, 4);
  mustEqual(fee, envelope.feeLeft, "forward fee of an inbound message");
  const value = tag === "100" ? total(envelope) : NOTHING;
  return { described: { ...described, transaction }, extra: { fees: coins(fee), value } };
}

const VALUE: Sum<Amounts> = { read: readAmounts, combine: plus, text };

/** OutMsgDescr: its extra, and the entries by message hash. */
export function walkOutMessages(cell: Cell): { sum: Amounts; entries: Map<string, Described> } {
  const entries = new Map<string, Described>();
  const sum = walkAugmentedE(cell.beginParse(), 256, VALUE, NOTHING, (key, slice) => {
    const name = key.toString(16).padStart(64, "0");
    const { described, extra } = readOut(slice, name, slice.asCell().hash().toString("hex"));
    mustEqual(described.message, name, "key of an outbound message");
    mustEqual(slice.remainingBits, 0, "bits after an outbound message");
    entries.set(name, described);
    return extra;
  });
  return { sum, entries };
}

function readOut(slice: Slice, name: string, hash: string): { described: Described; extra: Amounts } {
  let tag = slice.loadUint(3).toString(2).padStart(3, "0");
  if (tag === "000") {
    const message = readMessage(slice.loadRef());
    mustEqual(message.kind, "external-out", "kind of a message to outside");
    return { described: { tag, message: message.hash, transaction: hashOf(slice.loadRef()), hash }, extra: NOTHING };
  }
  if (tag === "110") tag = slice.loadBit() ? "1101" : "1100";
  if (tag === "1101") {
    const envelope = slice.loadBuffer(32).toString("hex");
    slice.skip(32 + 64 + 64);
    return { described: { tag, message: name, envelope, hash }, extra: NOTHING };
  }
  const envelope = readEnvelope(slice.loadRef());
  const described: Described = { tag, message: envelope.hash, envelope: envelope.envelopeHash, hash };
  if (tag === "1100") {
    slice.skip(63);
    return { described, extra: NOTHING };
  }
  if (tag === "010" || tag === "001") {
    const transaction = hashOf(slice.loadRef());
    if (tag === "001") return { described: { ...described, transaction }, extra: total(envelope) };
    return { described: { ...described, transaction, imported: hashOf(slice.loadRef()) }, extra: NOTHING };
  }
  if (tag === "100") return { described: { ...described, imported: hashOf(slice.loadRef()) }, extra: NOTHING };
  if (tag === "011" || tag === "111")
    return { described: { ...described, imported: hashOf(slice.loadRef()) }, extra: total(envelope) };
  throw new Error(`an outbound message has tag ${tag}`);
}

function hashOf(cell: Cell): string {
  return cell.hash().toString("hex");
}
