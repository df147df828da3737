/** The responses from every source, compared on chains whose shards split and merge. */
import { reshardedChain, unevenChain } from "../postgres/indexed-chain.ts";
import { compareOnChain } from "./parity.ts";

compareOnChain(reshardedChain, { count: 500, ofRecent: 800, steps: 3 });
compareOnChain(unevenChain, { count: 500, ofRecent: 800, steps: 2 });
