import { test } from "vitest";
import { checkChanges, checkIndependence, WIDTHS } from "./changed-tries.ts";

test.each(WIDTHS)("a trie with keys of %i bits has the entries that were set and not deleted", (width) =>
  checkChanges(width, 60),
);

test("a trie does not change when another one is made from it", () => checkIndependence(60));
