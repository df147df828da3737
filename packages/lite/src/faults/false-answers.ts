/** Lite servers with false answers: valid TL with wrong data or proofs. */
import { Cell, createPrunedBranch, readBocRoots, writeBocRoots } from "@chain-query/format/cells";
import type { AccountId, BlockId } from "@chain-query/format/identifiers";
import type { BehavingCall, LiteBehaviour } from "../answers/behaviour.ts";
import { type LiteQuery, queries, writeAnswer } from "../wire/tl/queries.ts";
import type { LiteAnswer, LiteArguments, LiteFunction } from "../wire/tl/scheme.ts";
import { changeCalls, type Scope } from "./failing-answers.ts";

/** The fields of an answer that hold bytes. */
type BytesField<Name extends LiteFunction> = keyof {
  [Field in keyof LiteAnswer<Name> as LiteAnswer<Name>[Field] extends Uint8Array ? Field : never]: true;
} &
  string;

/** The call whose answer is changed. */
export interface ChangedCall<Name extends LiteFunction> {
  readonly args: LiteArguments<Name>;
  /** The correct answer to other arguments. */
  readonly ask: (args: LiteArguments<Name>) => LiteAnswer<Name>;
}

/**
 * Changes the answers of a function.
 *
 * @example
 * ```ts
 * changeAnswer("getTime", ({ now }) => ({ now: now + 3600 }));
 * ```
 */
export function changeAnswer<Name extends LiteFunction>(
  name: Name,
  change: (answer: LiteAnswer<Name>, call: ChangedCall<Name>) => LiteAnswer<Name>,
  scope: Omit<Scope, "name"> = {},
): LiteBehaviour {
  return changeCalls({ ...scope, name }, async (context, next) => {
    const bytes = await next();
    const args = context.call.args as LiteArguments<Name>;
    const ask = (other: LiteArguments<Name>) => read(name, other, context.ask({ name, args: other } as BehavingCall["call"]));
    return isError(bytes) ? bytes : writeAnswer(name, change(read(name, args, bytes), { args, ask }));
  });
}

/**
 * Flips one bit of a field that holds bytes; by default of its middle byte.
 *
 * @example
 * ```ts
 * flipBit("getAccountState", "proof");
 * ```
 */
export function flipBit<Name extends LiteFunction>(
  name: Name,
  field: BytesField<Name>,
  { bit, ...scope }: Omit<Scope, "name"> & { readonly bit?: number } = {},
): LiteBehaviour {
  return changeBoc(name, field, (bytes) => flipBitOf(bytes, bit), scope);
}

/**
 * Changes one bit of a cell, and recomputes the bag's checksum and the Merkle proofs. Only a comparison with a trusted hash detects it.
 *
 * @example
 * ```ts
 * forgeBoc("getAccountState", "state");
 * ```
 */
export function forgeBoc<Name extends LiteFunction>(name: Name, field: BytesField<Name>): LiteBehaviour {
  return changeBoc(name, field, forge);
}

/** Changes a field that holds bytes. */
export function changeBoc<Name extends LiteFunction>(
  name: Name,
  field: BytesField<Name>,
  change: (bytes: Uint8Array) => Uint8Array,
  scope: Omit<Scope, "name"> = {},
): LiteBehaviour {
  return changeAnswer(name, (answer) => ({ ...answer, [field]: change(answer[field] as Uint8Array) }), scope);
}

/** Cuts off a bag of cells in its middle. */
export function truncateBoc<Name extends LiteFunction>(name: Name, field: BytesField<Name>): LiteBehaviour {
  return changeBoc(name, field, (bytes) => bytes.subarray(0, bytes.length >> 1));
}

/** A bag with a tree deeper than 1024 cells instead of the right one. */
export function deepBoc<Name extends LiteFunction>(name: Name, field: BytesField<Name>): LiteBehaviour {
  return changeBoc(name, field, deepBag);
}

/** A bag with a cell that refers to itself. */
export function cyclicBoc<Name extends LiteFunction>(name: Name, field: BytesField<Name>): LiteBehaviour {
  return changeBoc(name, field, cyclicBag);
}

/** Returns state and proof of another account. */
export function otherAccount(account: AccountId): LiteBehaviour {
  return changeAnswer("getAccountState", (_, { args, ask }) => ask({ ...args, account }));
}

/** The account's state and proof are as of another block, but the answer names the block that was asked for. */
export function otherBlock(id: BlockId): LiteBehaviour {
  return changeAnswer("getAccountState", (answer, { args, ask }) => ({ ...ask({ ...args, id }), id: answer.id }));
}

/** Denies that the account exists: its state is empty, and the proof is pruned on the path to it. */
export function hiddenAccount(): LiteBehaviour {
  return changeAnswer("getAccountState", (answer) => {
    const [header, state] = readBocRoots(answer.proof);
    if (!header || !state) return answer;
    return { ...answer, proof: writeBocRoots([header, hideAccounts(state)]), state: new Uint8Array() };
  });
}

/**
 * Proves masterchain blocks by links from another block, in the name of the known one.
 *
 * @param origin - The other block; absent: the proofs have no links.
 */
export function otherOrigin(origin?: BlockId): LiteBehaviour {
  return changeCalls({ name: "getBlockProof" }, async ({ call, ask }) => {
    const { knownBlock: from, targetBlock = from } = call.args as LiteArguments<"getBlockProof">;
    if (!origin) return writeAnswer("getBlockProof", { complete: true, from, to: targetBlock, steps: [] });
    const args = { mode: 0, knownBlock: origin };
    const answer = queries.getBlockProof(args).read(ask({ name: "getBlockProof", args }));
    const steps = answer.steps.map((step, index) => (index === 0 ? { ...step, from } : step));
    return writeAnswer("getBlockProof", { ...answer, from, steps });
  });
}

/** Returns a page of history with fewer transactions. */
export function shortHistory(count: number): LiteBehaviour {
  return changeHistory((ids) => ids.slice(0, count));
}

/** Leaves out the second transaction of each page of history. */
export function historyGap(): LiteBehaviour {
  return changeHistory((ids) => ids.filter((_, index) => index !== 1));
}

/** A function that finds a block. */
type BlockLookup = "lookupBlock" | "lookupBlockWithProof";

/** A look-up returns the next block instead of the right one. */
export function nextBlock(name: BlockLookup): LiteBehaviour {
  return neighbour(name, 1);
}

/** A look-up returns the previous block instead of the right one. */
export function previousBlock(name: BlockLookup): LiteBehaviour {
  return neighbour(name, -1);
}

/** Returns the right answer if the neighbour does not exist. */
function neighbour(name: BlockLookup, step: 1 | -1): LiteBehaviour {
  return changeAnswer(name, (answer, { args, ask }) => {
    const { lt: _lt, utime: _utime, ...rest } = args as LiteArguments<"lookupBlockWithProof">;
    const bySeqno = { ...rest, mode: (args.mode & ~7) | 1, id: { ...args.id, seqno: answer.id.seqno + step } };
    try {
      return { ...ask(bySeqno), mode: answer.mode };
    } catch {
      return answer;
    }
  });
}

function changeHistory(choose: (indexes: readonly number[]) => readonly number[]): LiteBehaviour {
  return changeAnswer("getTransactions", ({ ids, transactions }) => {
    const roots = ids.length > 0 ? readBocRoots(transactions) : [];
    const kept = choose(roots.map((_, index) => index));
    return {
      ids: kept.map((index) => ids[index] as BlockId),
      transactions: kept.length > 0 ? writeBocRoots(kept.map((index) => roots[index] as Cell)) : new Uint8Array(),
    };
  });
}

/** The proof of a state with its accounts pruned. */
function hideAccounts(proof: Cell): Cell {
  const [state] = proof.refs as [Cell];
  const refs = state.refs.map((ref, index) =>
    index === 1 ? createPrunedBranch({ hash: ref.hashAt(0), depth: ref.depthAt(0) }) : ref,
  );
  const rest = new Cell(state.bytes, state.bitLength, refs, state.type);
  return new Cell(proof.bytes, proof.bitLength, [rest], proof.type);
}

function read<Name extends LiteFunction>(name: Name, args: LiteArguments<Name>, bytes: Uint8Array): LiteAnswer<Name> {
  const make = queries[name] as (args: LiteArguments<Name>) => LiteQuery<LiteAnswer<Name>>;
  return make(args).read(bytes);
}

function isError(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 4)).toString("hex") === "48e1a9bb";
}

/** One flipped bit, by default of the middle byte. The checksum of a bag detects it. */
export function flipBitOf(bytes: Uint8Array, bit: number = (bytes.length >> 1) * 8): Uint8Array {
  const flipped = Uint8Array.from(bytes);
  const at = bit >> 3;
  if (at < bytes.length) flipped[at] = (flipped[at] as number) ^ (0x80 >> (bit & 7));
  return flipped;
}

/**
 * A bag with one flipped bit in the last cell that holds data. Checksum and Merkle cells are recomputed, so that only the hash of the
 * whole tree detects it.
 */
export function forge(bag: Uint8Array): Uint8Array {
  if (bag.length === 0) return bag;
  const roots = readBocRoots(bag);
  const last = roots.pop();
  return last ? writeBocRoots([...roots, forgeCell(last)]) : bag;
}

function forgeCell(cell: Cell): Cell {
  const index = cell.refs.findLastIndex(holdsData);
  const child = cell.refs[index];
  if (!child) return new Cell(flipBitOf(cell.bytes, 0), cell.bitLength, cell.refs, cell.type);
  const refs = cell.refs.with(index, forgeCell(child));
  const bytes = cell.type === "proof" ? merkleBytes(cell, refs[0] as Cell) : cell.bytes;
  return new Cell(bytes, cell.bitLength, refs, cell.type);
}

function holdsData(cell: Cell): boolean {
  return cell.type === "ordinary" && cell.bitLength > 0;
}

/** The contents of a Merkle proof: its type, then hash and depth of the tree. */
function merkleBytes(proof: Cell, root: Cell): Uint8Array {
  const bytes = Uint8Array.from(proof.bytes);
  bytes.set(root.hashAt(0), 1);
  new DataView(bytes.buffer).setUint16(33, root.depthAt(0));
  return bytes;
}

export function deepBag(): Uint8Array {
  const cells = 1100;
  // Each cell has no bits, and refers to the next one.
  return bagOf(
    cells,
    Array.from({ length: cells }, (_, i) => (i + 1 < cells ? [1, 0, (i + 1) >> 8, (i + 1) & 255] : [0, 0])).flat(),
  );
}

export function cyclicBag(): Uint8Array {
  return bagOf(1, [1, 0, 0, 0]);
}

/** A bag without a checksum, with one root, and references of two bytes. */
function bagOf(cells: number, body: readonly number[]): Uint8Array {
  const head = Buffer.from("b5ee9c7202020000000100000000", "hex");
  head.writeUInt16BE(cells, 6);
  head.writeUInt16BE(body.length, 12);
  return Buffer.from([...head, 0, 0, ...body]);
}
