/** The responses from every source, compared on chains whose shards split and merge. */
import { reshardedChain, unevenChain } from "../postgres/indexed-chain.ts";
import { compareOnChain } from "./parity.ts";

for (const chain of [reshardedChain, unevenChain]) compareOnChain(chain, { count: 250, ofRecent: 800, steps: 2 });
