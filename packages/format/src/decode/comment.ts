import { isUtf8 } from "node:buffer";
import type { Cell } from "../cells/cell.ts";
import { CellReader } from "../cells/cell-reader.ts";

/** The comment that a message body carries: UTF-8 text under op 0, or ciphertext under op 0x2167da4b. */
export interface Comment {
  readonly encrypted: boolean;
  readonly bytes: Uint8Array;
}

const TEXT = 0;
const ENCRYPTED = 0x2167da4b;

/**
 * The comment that a message body carries: a 32-bit op, then bytes that go on in the first reference of each cell.
 * Bodies that are no such chain, or that hold another op or text that is no UTF-8, carry none.
 */
export function commentOf(body: Cell): Comment | undefined {
  if (body.type !== "ordinary" || body.bitLength < 32) return undefined;
  const reader = new CellReader(body);
  const op = reader.uint(32);
  if (op !== TEXT && op !== ENCRYPTED) return undefined;
  const bytes = chainedBytes(body, reader);
  if (!bytes || (op === TEXT && !isUtf8(bytes))) return undefined;
  return { encrypted: op === ENCRYPTED, bytes };
}

/** The whole bytes of a cell and of what follows it; undefined where the cells hold more or other than that. */
function chainedBytes(first: Cell, at: CellReader): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let cell: Cell | undefined = first;
  let reader = at;
  while (cell) {
    if (reader.remainingBits % 8 !== 0 || cell.refs.length > 1 || cell.type !== "ordinary") return undefined;
    parts.push(reader.bytes(reader.remainingBits / 8));
    cell = cell.refs[0];
    if (cell) reader = new CellReader(cell);
  }
  return parts.length === 1 ? parts[0] : Buffer.concat(parts);
}
