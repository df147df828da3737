import type { Cell } from "../cells/cell.ts";
import { CellBuilder } from "../cells/cell-builder.ts";
import { CellReader } from "../cells/cell-reader.ts";
import type { AccountId } from "../identifiers/types.ts";
import { readAddress } from "../state/address.ts";
import { type ExtraCurrency, readCurrencies } from "../state/currencies.ts";
import { type Comment, commentOf } from "./comment.ts";

/** A message whose parts are still cells. */
export interface DecodedMessage {
  /** Hash of the message's own cell, as it lies in the transaction. */
  readonly hash: Uint8Array;
  /** Absent on a message from outside. */
  readonly source?: AccountId;
  /** Absent on a message to outside. */
  readonly destination?: AccountId;
  readonly value: bigint;
  readonly extraCurrencies: readonly ExtraCurrency[];
  readonly forwardFee: bigint;
  readonly ihrFee: bigint;
  /** 0 on a message from outside. */
  readonly createdLt: bigint;
  readonly body: Cell;
  readonly bodyHash: Uint8Array;
  /** Absent where the message deploys nothing. */
  readonly initState?: Cell;
  readonly comment?: Comment;
}

type Route = Omit<DecodedMessage, "hash" | "body" | "bodyHash" | "initState" | "comment">;

/**
 * Decodes a TL-B `Message Any`.
 *
 * @param cell - The message's own cell, as it lies in its transaction: its hash is the message's.
 * @throws CellError where the cell is no message.
 */
export function decodeMessage(cell: Cell): DecodedMessage {
  const reader = new CellReader(cell);
  const route = readRoute(reader);
  const initState = readInitState(cell, reader);
  const body = reader.bit() ? reader.ref() : restOf(cell, reader);
  const comment = commentOf(body);
  return {
    hash: cell.hash,
    ...route,
    body,
    bodyHash: body.hash,
    ...(initState && { initState }),
    ...(comment && { comment }),
  };
}

/** TL-B CommonMsgInfo: int_msg_info$0, ext_in_msg_info$10, ext_out_msg_info$11. */
function readRoute(reader: CellReader): Route {
  if (!reader.bit()) return readInternal(reader.skip(3));
  return reader.bit() ? readOutbound(reader) : readInbound(reader);
}

function readInternal(reader: CellReader): Route {
  const source = readAddress(reader);
  const destination = readAddress(reader);
  const { coins, extra } = readCurrencies(reader);
  // Where older networks had the fee for instant routing, flags have stood since version 12 of the machine's rules: no value.
  reader.coins();
  const forwardFee = reader.coins();
  const createdLt = reader.bigUint(64);
  reader.skip(32);
  return {
    ...(source && { source }),
    ...(destination && { destination }),
    value: coins,
    extraCurrencies: extra,
    forwardFee,
    ihrFee: 0n,
    createdLt,
  };
}

const WITHOUT_VALUE = { value: 0n, extraCurrencies: [], forwardFee: 0n, ihrFee: 0n } as const;

function readInbound(reader: CellReader): Route {
  readAddress(reader);
  const destination = readAddress(reader);
  reader.coins();
  return { ...(destination && { destination }), ...WITHOUT_VALUE, createdLt: 0n };
}

function readOutbound(reader: CellReader): Route {
  const source = readAddress(reader);
  readAddress(reader);
  const createdLt = reader.bigUint(64);
  reader.skip(32);
  return { ...(source && { source }), ...WITHOUT_VALUE, createdLt };
}

/** TL-B (Maybe (Either StateInit ^StateInit)). */
function readInitState(cell: Cell, reader: CellReader): Cell | undefined {
  if (!reader.bit()) return undefined;
  if (reader.bit()) return reader.ref();
  const from = positionIn(cell, reader);
  readStateInit(reader);
  const to = positionIn(cell, reader);
  return part(cell, from, to);
}

/** Reads a TL-B `StateInit`: split depth, tick-tock, code, data, library. */
export function readStateInit(reader: CellReader): { code: Cell | undefined; data: Cell | undefined } {
  if (reader.bit()) reader.skip(5);
  if (reader.bit()) reader.skip(2);
  const code = reader.maybeRef();
  const data = reader.maybeRef();
  reader.maybeRef();
  return { code, data };
}

interface Position {
  readonly bit: number;
  readonly ref: number;
}

function positionIn(cell: Cell, reader: CellReader): Position {
  return { bit: cell.bitLength - reader.remainingBits, ref: cell.refs.length - reader.remainingRefs };
}

function part(cell: Cell, from: Position, to: Position): Cell {
  const builder = new CellBuilder().bitsOf(cell.bytes, from.bit, to.bit);
  for (const reference of cell.refs.slice(from.ref, to.ref)) builder.ref(reference);
  return builder.cell();
}

function restOf(cell: Cell, reader: CellReader): Cell {
  return part(cell, positionIn(cell, reader), { bit: cell.bitLength, ref: cell.refs.length });
}
