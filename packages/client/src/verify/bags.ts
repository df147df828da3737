/** Reads bags of cells of an answer, within limits. */
import { type Cell, hex, readBocRoots } from "@chain-query/format/cells";
import type { BocOf } from "@chain-query/proof/accounts";
import { ensure } from "./proof-error.ts";

/** Largest number of cells in a proof. The largest one of a real network had 839. */
const maxCells = 4_096;

/** Largest number of cells in a bag of a result: the network allows an account as many. */
export const MAX_RESULT_CELLS = 65_536;

/** Bytes of base64. @throws DOMException */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** The root of a bag that has one. @param most - Cells. Default: those of a proof. */
export function rootOf(text: string, most: number = maxCells): Cell {
  return readBocRoots(bytesOf(text), { maxCells: most, maxRoots: 1 })[0] as Cell;
}

/** The roots of a bag, in the order in which an operation needs them. */
export interface Roots {
  next(): Cell;
  /** The tree in the Merkle proof that `next` returns, not compared with a hash. */
  peek(): Cell | undefined;
  /** Throws unless all roots were taken. */
  end(): void;
}

/** @param text - Absent if an operation needs no cells. */
export function rootsOf(text: string | undefined): Roots {
  // Queue sizes have the most: two for each shard.
  const roots = text ? readBocRoots(bytesOf(text), { maxCells, maxRoots: 130 }) : [];
  return {
    next: () => {
      const root = roots.shift();
      ensure(root, "missing", "too few roots");
      return root;
    },
    peek: () => roots[0]?.refs[0],
    end: () => ensure(!roots[0], "answer", "too many roots"),
  };
}

/** Members of results that hold bags of cells. */
const BAGS: readonly string[] = ["code", "data", "body", "init_state"];

/**
 * Finds the bags of a result by the hashes of their roots, since bags of equal cells may differ. A cell without a bag has a byte that is no
 * bag, so that a result that shows it equals no answer. The body of a message that is shown as a comment needs none.
 */
export function bagsOf(result: object): BocOf {
  const bags = new Map<string, Uint8Array>();
  const collect = (members: object): void => {
    for (const [name, value] of Object.entries(members)) {
      if (Object(value) === value) collect(value);
      else if (value && BAGS.includes(name)) bags.set(hex(rootOf(value, MAX_RESULT_CELLS).hash), bytesOf(value));
    }
  };
  collect(result);
  return (cell) => bags.get(hex(cell.hashAt(0))) ?? new Uint8Array(1);
}

/** Throws with the path of the first value that differs. Members of the answer that this version does not know are left out. */
export function requireEqual(derived: unknown, answered: unknown, path = ""): void {
  const members = Object(answered);
  if (Object(derived) !== derived) {
    // An object may have no text.
    const shown = String(members === answered ? "{}" : answered).slice(0, 99);
    ensure(derived === answered, "answer", `the cells have ${derived}, the answer ${shown}`, path);
  } else if (Array.isArray(derived) && derived.length !== members.length) requireEqual(derived.length, members.length, path);
  else {
    for (const [name, value] of Object.entries(Object(derived))) {
      requireEqual(value, members[name], path ? `${path}.${name}` : name);
    }
  }
}
