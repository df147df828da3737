import { test } from "vitest";
import { checkLookUp, checkRanges } from "./proofs-of-dictionaries.ts";

test("lookUp finds the entries of the dictionary in a proof, by reading only their paths", () => checkLookUp(300));

test("a range of readEntries has the entries after a key in either order, also in a proof of reading as many", () =>
  checkRanges(100));
