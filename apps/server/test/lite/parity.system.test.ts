import { FROZEN } from "@chain-query/testing/chains";
/** The responses from every source, compared for a sample of requests. */
import { compareOnChain } from "./parity.ts";

compareOnChain(FROZEN, { count: 80, ofRecent: 500, steps: 2 });
