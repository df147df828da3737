import { concat } from "./cells/bytes.ts";
import type { Cell } from "./cells/cell.ts";
import { CellReader } from "./cells/cell-reader.ts";
import { type Currencies, type ExtraCurrency, NO_CURRENCIES, readCurrencies } from "./currencies.ts";
import { type AccountId, readAccountAddress, readAddress, skipExternalAddress } from "./identifiers.ts";

/** The header of a message (TL-B CommonMsgInfo). Fields that a kind of message does not have are 0, false or undefined. */
export interface MessageHeader {
  /** The cell to which the transaction refers: its hash is the message's. */
  readonly cell: Cell;
  /** Between accounts, from outside the chain, or to outside. */
  readonly kind: "internal" | "external-in" | "external-out";
  readonly source: AccountId | undefined;
  readonly destination: AccountId | undefined;
  readonly bounce: boolean;
  readonly bounced: boolean;
  readonly value: Currencies;
  /** The sender pays it, and the receiver gets it with the value. No message has one since version 12 of the virtual machine's rules. */
  readonly ihrFee: bigint;
  /** The part of the forward fee that the sender's block did not collect. */
  readonly forwardFee: bigint;
  readonly createdLt: bigint;
  /** Unix seconds. */
  readonly createdAt: number;
}

/**
 * Reads the header of a message. Cheaper than `decodeMessage`, because it reads neither state nor body.
 *
 * @throws CellError if the cell does not hold a message.
 */
export function readMessageHeader(cell: Cell): MessageHeader {
  return readHeader(cell, new CellReader(cell));
}

/**
 * TL-B `int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddressInt dest:MsgAddressInt value:CurrencyCollection
 * extra_flags:(VarUInteger 16) fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfo`, with `ihr_fee:Grams` in place of the
 * flags before version 12 of the virtual machine's rules,
 * `ext_in_msg_info$10 src:MsgAddressExt dest:MsgAddressInt import_fee:Grams = CommonMsgInfo`,
 * `ext_out_msg_info$11 src:MsgAddressInt dest:MsgAddressExt created_lt:uint64 created_at:uint32 = CommonMsgInfo`.
 */
function readHeader(cell: Cell, reader: CellReader): MessageHeader {
  if (!reader.bit()) {
    const hasIhrFee = !reader.bit();
    return {
      cell,
      kind: "internal",
      bounce: reader.bit(),
      bounced: reader.bit(),
      // Absent until the message is sent: TL-B CommonMsgInfoRelaxed.
      source: readAddress(reader),
      destination: readAccountAddress(reader),
      value: readCurrencies(reader),
      // Flags if `ihr_disabled` is set: only messages with such a fee have it unset.
      ihrFee: reader.coins() * BigInt(hasIhrFee),
      forwardFee: reader.coins(),
      createdLt: reader.bigUint(64),
      createdAt: reader.uint(32),
    };
  }
  const isOut = reader.bit();
  const source = isOut ? readAccountAddress(reader) : skipExternalAddress(reader);
  const destination = isOut ? skipExternalAddress(reader) : readAccountAddress(reader);
  if (!isOut) reader.coins();
  return {
    cell,
    kind: isOut ? "external-out" : "external-in",
    bounce: false,
    bounced: false,
    source,
    destination,
    value: NO_CURRENCIES,
    ihrFee: 0n,
    forwardFee: 0n,
    createdLt: isOut ? reader.bigUint(64) : 0n,
    createdAt: isOut ? reader.uint(32) : 0,
  };
}

/** The comment in a message body. */
export interface Comment {
  /** Under op 0x2167da4b the bytes are ciphertext, under op 0 UTF-8 text. */
  readonly encrypted: boolean;
  readonly bytes: Uint8Array;
}

/** A whole message, as the HTTP API describes it; body and state are still cells. */
export interface DecodedMessage {
  /** Hash of the cell to which the transaction refers. */
  readonly hash: Uint8Array;
  /** Absent on a message from outside. */
  readonly source?: AccountId;
  /** Absent on a message to outside. */
  readonly destination?: AccountId;
  /** In the smallest unit of the network's currency. */
  readonly value: bigint;
  readonly extraCurrencies: readonly ExtraCurrency[];
  readonly forwardFee: bigint;
  /** See `MessageHeader.ihrFee`. */
  readonly ihrFee: bigint;
  /** 0 on a message from outside. */
  readonly createdLt: bigint;
  readonly body: Cell;
  readonly bodyHash: Uint8Array;
  /** TL-B StateInit; absent if the message deploys nothing. */
  readonly initState?: Cell;
  readonly comment?: Comment;
}

/**
 * Decodes a message.
 *
 * TL-B `message$_ {X:Type} info:CommonMsgInfo init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = Message X`.
 *
 * @param cell - The cell to which the transaction refers: its hash is the message's.
 * @throws CellError if the cell does not hold a message.
 *
 * @example
 * const { value, comment } = decodeMessage(cell);
 */
export function decodeMessage(cell: Cell): DecodedMessage {
  const reader = new CellReader(cell);
  const { source, destination, value, forwardFee, ihrFee, createdLt } = readHeader(cell, reader);
  const initState = readInitState(reader);
  const body = reader.bit() ? reader.ref() : reader.rest();
  const comment = readComment(body);
  const message: { -readonly [Field in keyof DecodedMessage]: DecodedMessage[Field] } = {
    hash: cell.hash,
    value: value.coins,
    extraCurrencies: value.extra,
    forwardFee,
    ihrFee,
    createdLt,
    body,
    bodyHash: body.hash,
  };
  if (source) message.source = source;
  if (destination) message.destination = destination;
  if (initState) message.initState = initState;
  if (comment) message.comment = comment;
  return message;
}

/** TL-B `Maybe (Either StateInit ^StateInit)`. */
function readInitState(reader: CellReader): Cell | undefined {
  if (!reader.bit()) return undefined;
  return reader.bit() ? reader.ref() : reader.part(readStateInit);
}

/**
 * Reads the code, the data and the root of the libraries of a contract.
 *
 * TL-B `_ fixed_prefix_length:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell)
 * library:(HashmapE 256 SimpleLib) = StateInit`.
 */
export function readStateInit(reader: CellReader): {
  readonly code: Cell | undefined;
  readonly data: Cell | undefined;
  readonly libraries: Cell | undefined;
} {
  if (reader.bit()) reader.skip(5);
  if (reader.bit()) reader.skip(2);
  const code = reader.maybeRef();
  const data = reader.maybeRef();
  return { code, data, libraries: reader.maybeRef() };
}

const TEXT = 0;
const ENCRYPTED = 0x2167da4b;

/**
 * The comment in a message body: a 32-bit op, then bytes that continue in the first reference of each cell. Undefined if the body has
 * another op, or no whole number of bytes. Text need not be UTF-8. As wallets and other programs of the network read it, a cell may have
 * other references, and end within a byte.
 */
export function readComment(body: Cell): Comment | undefined {
  if (body.type !== "ordinary" || body.bitLength < 32) return undefined;
  const reader = new CellReader(body);
  const op = reader.uint(32);
  if (op !== TEXT && op !== ENCRYPTED) return undefined;
  const bytes = readChainedBytes(body, reader);
  return bytes && { encrypted: op === ENCRYPTED, bytes };
}

/** The bits of a chain of cells as bytes; undefined if they are not whole bytes, or a cell is not ordinary. */
function readChainedBytes(body: Cell, afterOp: CellReader): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let [begun, bits] = [0, 0];
  let reader = afterOp;
  for (let cell: Cell | undefined = body; ; reader = new CellReader(cell)) {
    if (bits > 0 && bits + reader.remainingBits >= 8) {
      parts.push(Uint8Array.of((begun << (8 - bits)) | reader.uint(8 - bits)));
      [begun, bits] = [0, 0];
    }
    if (bits === 0) parts.push(reader.bytes(reader.remainingBits >> 3));
    const rest = reader.remainingBits;
    begun = (begun << rest) | reader.uint(rest);
    bits += rest;
    cell = cell.refs[0];
    if (!cell) return bits > 0 ? undefined : parts.length === 1 ? parts[0] : concat(...parts);
    if (cell.type !== "ordinary") return undefined;
  }
}
