import { FROZEN, RESHARDED } from "@chain-query/testing/chains";
import { describe } from "vitest";
import { describeDroppedHistory } from "./dropped-history.ts";

const STEPS = FROZEN.steps;

describe("on a chain with accounts of every kind", () => {
  describeDroppedHistory(FROZEN, 1, { whole: [0, 3, 12, STEPS], dropped: [STEPS, 19, 15, 14, 3] });
});

describe("on a chain whose shards split and merge", () => {
  describeDroppedHistory({ ...RESHARDED, steps: STEPS }, 1, { whole: [5, 14, STEPS], dropped: [STEPS, 16, 15, 14, 4] });
});
