import { FROZEN } from "@chain-query/testing/chains";
import { describeDroppedHistory } from "./dropped-history.ts";

const STEPS = FROZEN.steps;

describeDroppedHistory(FROZEN, 1, { whole: [0, 3, 12, STEPS], dropped: [STEPS, 19, 15, 14, 3] });
