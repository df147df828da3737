/** Reads values of an envelope that nothing has checked. */
import { type Cell, hex, readBocRoots } from "@chain-query/format/cells";
import type { BocOf } from "@chain-query/proof/accounts";
import { ensure, ProofError } from "./proof-error.ts";

/** Characters of a body, cells of a bag, and roots of a bag. The roots of queue sizes are two for each shard. */
const [MAX_BODY, MAX_CELLS, MAX_ROOTS] = [256_000, 4_096, 512];

export type Untrusted = Readonly<Record<string, unknown>>;

export function requireLength(body: string): void {
  ensure(body.length <= MAX_BODY, "limit", `expected at most ${MAX_BODY} characters, got ${body.length}`);
}

export function objectOf(value: unknown, path: string): Untrusted {
  ensure(typeof value === "object" && value !== null, "missing", "expected an object", path);
  return value as Untrusted;
}

export function arrayOf(value: unknown, most: number, path: string): readonly unknown[] {
  ensure(Array.isArray(value), "missing", "expected an array", path);
  ensure(value.length <= most, "limit", `expected at most ${most} entries, got ${value.length}`, path);
  return value;
}

export function integerOf(value: unknown, path: string): number {
  ensure(Number.isSafeInteger(value), "missing", "expected an integer", path);
  return value as number;
}

export function bytesOf(text: unknown, path: string, length?: number): Uint8Array {
  ensure(typeof text === "string", "missing", "expected base64", path);
  let binary: string;
  try {
    binary = atob(text);
  } catch (cause) {
    throw new ProofError("missing", "expected base64", { path, cause });
  }
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  ensure(bytes.length === (length ?? bytes.length), "missing", `expected ${length} bytes, got ${bytes.length}`, path);
  return bytes;
}

/** Reads a bag with one root. */
export function rootOf(text: unknown, path: string): Cell {
  return rootsOf(text, path, 1).next();
}

/** The roots of a bag, in the order in which an operation needs them. There are none if the bag is absent. */
export interface Roots {
  next(): Cell;
  /** The root that `next` returns. */
  peek(): Cell;
  /** Throws unless all roots were taken. */
  end(): void;
}

export function rootsOf(text: unknown, path = "proof.cells", maxRoots: number = MAX_ROOTS): Roots {
  const roots = text === undefined ? [] : readBocRoots(bytesOf(text, path), { maxCells: MAX_CELLS, maxRoots });
  let taken = 0;
  const peek = (): Cell => {
    const root = roots[taken];
    ensure(root !== undefined, "missing", `expected more than ${roots.length} roots`, path);
    return root;
  };
  return {
    peek,
    next: () => {
      const root = peek();
      taken++;
      return root;
    },
    end: () => ensure(taken === roots.length, "answer", `expected ${taken} roots, got ${roots.length}`, path),
  };
}

/** The members of results that hold bags of cells. */
const BAGS: readonly string[] = ["code", "data", "body", "init_state"];

/**
 * Finds the bags of a result by the hashes of their roots. A cell without one, such as the body of a message that is shown as a comment,
 * has no bytes. Bags of equal cells may differ, so those of the result are kept.
 */
export function bagsOf(result: Untrusted): BocOf {
  const bags = new Map<string, Uint8Array>();
  const collect = (value: unknown, name: string): void => {
    if (typeof value === "object" && value !== null) {
      for (const [each, member] of Object.entries(value)) collect(member, each);
    } else if (value !== "" && BAGS.includes(name)) {
      bags.set(hex(rootOf(value, name).hash), bytesOf(value, name));
    }
  };
  collect(result, "");
  return (cell) => bags.get(hex(cell.hashAt(0))) ?? new Uint8Array();
}

/** Throws with the path of the first member that differs from a derived value. Members that this version does not know are left out. */
export function requireEqual(derived: unknown, answered: unknown, path = ""): void {
  if (typeof derived !== "object" || derived === null) {
    ensure(derived === answered, "answer", `the cells have ${textOf(derived)}, the answer ${textOf(answered)}`, path);
    return;
  }
  const members = objectOf(answered, path);
  const isLonger = Array.isArray(derived) && derived.length !== members["length"];
  ensure(!isLonger, "answer", `the cells have ${Object.keys(derived).length} entries, the answer others`, path);
  for (const [name, value] of Object.entries(derived)) requireEqual(value, members[name], path ? `${path}.${name}` : name);
}

function textOf(value: unknown): string {
  const text = JSON.stringify(value) ?? "none";
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
