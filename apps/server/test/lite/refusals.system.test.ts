import { compareWithRefusals } from "./refusals.ts";

compareWithRefusals(12, [50]);
