import type { Slice } from "@ton/core";
import { must, mustEqual, walkDictionary } from "./dictionary.ts";

/** The publishers of each public library, by its hash, in the order of both. */
export type WalkedLibraries = ReadonlyMap<string, readonly string[]>;

/** `HashmapE 256 LibDescr` of a state. */
export function walkLibraries(slice: Slice): WalkedLibraries {
  const libraries = new Map<string, readonly string[]>();
  if (!slice.loadBit()) return libraries;
  walkDictionary(slice.loadRef(), 256, (key, leaf) => {
    mustEqual(leaf.loadUint(2), 0, "tag of a LibDescr");
    mustEqual(leaf.loadRef().hash().toString("hex"), nameOf(key), "hash in the key of a library");
    const publishers: string[] = [];
    walkDictionary(leaf.asCell(), 256, (publisher, value) => {
      mustEqual(value.remainingBits + value.remainingRefs, 0, "bits and references of a publisher");
      publishers.push(nameOf(publisher));
    });
    libraries.set(nameOf(key), publishers);
  });
  return libraries;
}

/** The public ones among the libraries of a StateInit, whose other parts are skipped: their hashes. */
export function walkPublished(slice: Slice): string[] {
  const published: string[] = [];
  if (slice.loadBit()) slice.skip(5);
  if (slice.loadBit()) slice.skip(2);
  for (const _ of ["code", "data"]) slice.loadMaybeRef();
  const root = slice.loadMaybeRef();
  if (!root) return published;
  walkDictionary(root, 256, (key, leaf) => {
    const isPublic = leaf.loadBit();
    const hash = leaf.loadRef().hash().toString("hex");
    mustEqual(leaf.remainingBits + leaf.remainingRefs, 0, "bits and references after a library");
    if (isPublic && hash === nameOf(key)) published.push(hash);
  });
  must(published.length <= 256, "an account publishes too many libraries");
  return published;
}

function nameOf(key: bigint): string {
  return key.toString(16).padStart(64, "0");
}
