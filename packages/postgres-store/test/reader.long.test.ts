import { STEPS } from "./indexed-chains.ts";
import { describeParity } from "./reader-parity.ts";

describeParity({ heads: [0, 1, 2, 7, STEPS - 1, STEPS], sample: 1 });
