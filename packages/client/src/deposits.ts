/** What a transaction brought to its account, read from the cells of its `data`: responses have no member for bounces. */

/** A transaction of `getTransactionsStd` or of the locate operations, with amounts as strings or as bigints. */
interface Received {
  /** The whole transaction, a bag of cells in base64. */
  readonly data: string;
  readonly in_msg?: { readonly value: string | bigint } | undefined;
}

/** A cell of a bag of cells: its bits begin at a byte of the bag, and its references are numbers of later cells. */
interface Cell {
  readonly start: number;
  readonly bits: number;
  readonly refs: readonly number[];
}

/**
 * What the cells of a transaction say of its incoming message: it is from outside of the chain, the returned rest of a message that the
 * account sent before, one that the account refused, so that its value went back to the sender, or one whose value stays.
 */
type Incoming = "external" | "bounced" | "returned" | "deposit";

/**
 * Whether the incoming message of a transaction is a bounced one: a transfer of this account that its destination refused, coming back.
 * It is not a deposit.
 *
 * @example
 * ```ts
 * for await (const tx of chain.transactions({ address })) if (isBounced(tx)) console.log("came back:", tx.in_msg?.value);
 * ```
 * @throws RangeError if `data` is not the bag of cells of a transaction.
 */
export function isBounced({ data }: Pick<Received, "data">): boolean {
  return incomingOf(data) === "bounced";
}

/**
 * The amount that a transaction credited to its account for good, in the smallest unit: the value of its incoming message, and 0n if
 * it has no such message, if it bounced ({@link isBounced}), or if the account refused it, so that the value went back to the sender.
 *
 * @example
 * ```ts
 * for await (const tx of watchTransactions(chain, address)) {
 *   const amount = depositOf(tx);
 *   if (amount > 0n) console.log(`+${formatNano(amount)}`, messageText(tx.in_msg) ?? "");
 * }
 * ```
 * @throws RangeError if `data` is not the bag of cells of a transaction.
 */
export function depositOf({ data, in_msg: message }: Received): bigint {
  return incomingOf(data) === "deposit" && message !== undefined ? BigInt(message.value) : 0n;
}

/** Reads the parts of a transaction that matter, by the scheme of `Transaction`, `CommonMsgInfo` and `TransactionDescr` in block.tlb. */
function incomingOf(data: string): Incoming | undefined {
  try {
    const { bytes, cells, root } = parseBag(data);
    const open = (number: number | undefined) => readerOf(bytes, cellAt(cells, number));
    const transaction = cellAt(cells, root);
    if (open(root)(4) !== 0b0111) throw new RangeError("its tag is that of another type");
    const messages = cellAt(cells, transaction.refs[0]);
    if (open(transaction.refs[0])(1) === 0) return undefined;
    const message = open(messages.refs[0]);
    if (message(1) === 1) return "external";
    const isRefused = isReturned(open(transaction.refs[transaction.refs.length - 1]));
    // ihr_disabled, bounce, bounced
    if ((message(3) & 1) === 1) return "bounced";
    return isRefused ? "returned" : "deposit";
  } catch (error) {
    throw new RangeError("data: expected the bag of cells of a transaction in base64", { cause: error });
  }
}

/** Whether the bounce phase of an ordinary transaction sent the value back. */
function isReturned(read: Read): boolean {
  const skipGrams = (): void => skip(read, read(4) * 8);
  const skipMaybeGrams = (): void => void (read(1) === 1 && skipGrams());
  // Only trans_ord has a bounce phase.
  if (read(4) !== 0) return false;
  read(1); // credit_first
  if (read(1) === 1) {
    skipGrams(); // storage_fees_collected
    skipMaybeGrams(); // storage_fees_due
    if (read(1) === 1) read(1); // status_change
  }
  if (read(1) === 1) {
    skipMaybeGrams(); // due_fees_collected
    skipGrams(); // credit
    read(1); // its extra currencies are a reference
  }
  if (read(1) === 1) {
    read(3); // success, msg_state_used, account_activated
    skipGrams(); // gas_fees
  } else if (read(2) === 0b11) read(1); // a reason for no computation, of three bits
  read(2); // action, a reference, and aborted
  return read(1) === 1 && read(1) === 1; // bounce: tr_phase_bounce_ok$1
}

/** Reads the next bits of a cell as an unsigned number; at most 32. */
type Read = (bits: number) => number;

function readerOf(bytes: Uint8Array, { start, bits }: Cell): Read {
  let next = 0;
  return (count) => {
    if (next + count > bits) throw new RangeError("a cell is too short");
    let value = 0;
    for (const end = next + count; next < end; next++) {
      value = value * 2 + (((bytes[start + (next >> 3)] ?? 0) >> (7 - (next & 7))) & 1);
    }
    return value;
  };
}

function skip(read: Read, bits: number): void {
  for (let left = bits; left > 0; left -= 32) read(Math.min(left, 32));
}

function cellAt(cells: readonly Cell[], number: number | undefined): Cell {
  const cell = number === undefined ? undefined : cells[number];
  if (cell === undefined) throw new RangeError("a reference leads nowhere");
  return cell;
}

/** Parses a bag of cells (`serialized_boc` in boc.tlb); its checksum and hashes are not computed. */
function parseBag(base64: string): { bytes: Uint8Array; cells: Cell[]; root: number } {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  let next = 0;
  const uint = (size: number): number => {
    if (next + size > bytes.length) throw new RangeError("it is cut off");
    let value = 0;
    for (const end = next + size; next < end; next++) value = value * 256 + (bytes[next] ?? 0);
    return value;
  };
  if (uint(4) !== 0xb5ee9c72) throw new RangeError("it does not begin with the magic number");
  const flags = uint(1);
  const refSize = flags & 7;
  const offsetSize = uint(1);
  const count = uint(refSize);
  const roots = uint(refSize);
  uint(refSize); // absent cells
  uint(offsetSize); // size of all cells
  const root = uint(refSize);
  next += (roots - 1) * refSize + (flags & 0x80 ? count * offsetSize : 0);
  const cells: Cell[] = [];
  while (cells.length < count) {
    const descriptor = uint(1);
    const halfBytes = uint(1);
    const size = (halfBytes + 1) >> 1;
    // Bit 4: the hashes and depths of the cell precede its data; a transaction has no pruned branches, so it is one of each.
    if (descriptor & 16) next += 34;
    const start = next;
    next += size;
    // The last byte of an incomplete cell ends with a 1 and zeros.
    const last = bytes[next - 1] ?? 0;
    const bits = halfBytes % 2 === 0 ? size * 8 : size * 8 - 1 - (31 - Math.clz32(last & -last));
    cells.push({ start, bits, refs: Array.from({ length: descriptor & 7 }, () => uint(refSize)) });
  }
  if (flags & 0x40) next += 4; // the checksum
  if (next > bytes.length) throw new RangeError("it is cut off");
  return { bytes, cells, root };
}
