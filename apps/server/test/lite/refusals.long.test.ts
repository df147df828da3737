/** Wrong refusals, at full length. */
import { compareWithRefusals } from "./refusals.ts";

compareWithRefusals(40, [0, 100, 1_000, 2_500]);
