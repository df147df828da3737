export { type BlockIdJson, formatGlobalConfig, type GlobalConfigJson } from "./global-config.ts";
export type { LiteChain, LiteChainSelector } from "./lite-chain.ts";
export { type LiteServer, type LiteServerOptions, startLiteServer } from "./server.ts";
