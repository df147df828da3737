/** The responses from every source, compared for a sample of requests. */
import { frozenChain } from "../postgres/indexed-chain.ts";
import { compareOnChain } from "./parity.ts";

compareOnChain(frozenChain, { count: 80, ofRecent: 500, steps: 2 });
