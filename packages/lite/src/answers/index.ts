export { chainProofs } from "./chain-proofs.ts";
export type { LiteChain } from "./lite-chain.ts";
export {
  type BlockIdJson,
  formatGlobalConfig,
  type GlobalConfigJson,
  type LiteServer,
  type LiteServerOptions,
  startLiteServer,
} from "./server.ts";
export { liteChain, type SigningChain } from "./signing-chain.ts";
