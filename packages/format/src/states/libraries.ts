/** The public libraries of the masterchain's state: those that accounts of the masterchain publish. */
import { type AccountLibrary, readAccountLibraries } from "../accounts.ts";
import { compareBytes, hex, isEqual } from "../cells/bytes.ts";
import type { Cell } from "../cells/cell.ts";
import { CellError, CellReader, readTag } from "../cells/cell-reader.ts";
import { readCurrencies } from "../currencies.ts";
import { readEntries } from "../dictionaries/hashmap.ts";
import { plainFormat, Trie, type TrieFormat } from "../dictionaries/trie.ts";
import { readStateParts } from "./state-parts.ts";

/** A library that any contract can use by its hash. */
export interface PublicLibrary {
  readonly root: Cell;
  /** Addresses of the accounts of the masterchain that publish it, at least one, in rising order. */
  readonly publishers: readonly Uint8Array[];
}

const PUBLISHERS = /* @__PURE__ */ plainFormat<true>(256, () => undefined);

/**
 * The dictionary of public libraries, by the hash of their root cell.
 *
 * TL-B `libraries:(HashmapE 256 LibDescr)`, `shared_lib_descr$00 lib:^Cell publishers:(Hashmap 256 True) = LibDescr`.
 */
export const PUBLIC_LIBRARIES: TrieFormat<PublicLibrary, undefined> = /* @__PURE__ */ plainFormat(
  256,
  (builder, { root, publishers }) => {
    const entries = publishers.map((publisher) => [publisher, true] as const);
    const dictionary = Trie.from(PUBLISHERS, entries).rootCell();
    if (!dictionary) throw new RangeError(`library ${hex(root.hash)} has no publisher`);
    builder.uint(0, 2).ref(root).append(dictionary);
  },
);

/** Root of the dictionary of public libraries in a state; undefined if it is empty. Does not touch the dictionary. */
export function readStateLibraries(state: Cell): Cell | undefined {
  const totals = new CellReader(readStateParts(state).totals).skip(64 + 64);
  readCurrencies(totals);
  readCurrencies(totals);
  return totals.maybeRef();
}

/**
 * Reads public libraries by rising hash.
 *
 * @param root - Of the dictionary, see `readStateLibraries`; undefined if it is empty.
 * @throws CellError if the cells do not hold them.
 */
export function* readPublicLibraries(root: Cell | undefined): Generator<PublicLibrary, void, undefined> {
  for (const { key, leaf } of root ? readEntries(root, 256) : []) {
    readTag(leaf, 2, "LibDescr", 0);
    const library = leaf.ref();
    if (!isEqual(library.hashAt(0), key)) throw new CellError(`library ${hex(key)} has hash ${hex(library.hashAt(0))}`);
    yield { root: library, publishers: Array.from(readEntries(leaf.rest(), 256), (entry) => entry.key) };
  }
}

/**
 * The public libraries after an account of the masterchain changed.
 *
 * @param publisher - Address of the account.
 * @param before - Its own libraries before and after the change, see `DecodedAccount.libraries`.
 */
export function changePublisher(
  libraries: Trie<PublicLibrary, undefined>,
  publisher: Uint8Array,
  before: Cell | undefined,
  after: Cell | undefined,
): Trie<PublicLibrary, undefined> {
  const [former, next] = [publicOf(before), publicOf(after)];
  let changed = libraries;
  for (const [name, { hash }] of former) {
    if (next.has(name)) continue;
    const known = changed.get(hash);
    const publishers = known?.publishers.filter((other) => !isEqual(other, publisher)) ?? [];
    changed = known && publishers.length > 0 ? changed.set(hash, { ...known, publishers }) : changed.delete(hash);
  }
  for (const [name, { hash, root }] of next) {
    if (former.has(name)) continue;
    const publishers = [...(changed.get(hash)?.publishers ?? []), publisher].sort(compareBytes);
    changed = changed.set(hash, { root, publishers });
  }
  return changed;
}

function publicOf(libraries: Cell | undefined): Map<string, AccountLibrary> {
  const own = libraries ? [...readAccountLibraries(libraries)].filter(({ isPublic }) => isPublic) : [];
  return new Map(own.map((library) => [hex(library.hash), library]));
}
