import { RESHARDED } from "@chain-query/testing/chains";
import { describe } from "vitest";
import { STEPS } from "./indexed-chains.ts";
import { describeParity } from "./reader-parity.ts";

describe("on a chain with accounts of every kind", () => {
  describeParity({ heads: [0, 1, 2, 7, STEPS - 1, STEPS], sample: 1 });
});

describe("on a chain whose shards split and merge", () => {
  // On both sides of splits and merges.
  describeParity({ chain: RESHARDED, heads: [3, 4, 5, 13, 14, 15, 16, 25, 26, 35, RESHARDED.steps], sample: 1 });
});
