export type { LiteChain, LiteChainSelector } from "./lite-chain.ts";
