export { buildAccountBlocks } from "./account-blocks.ts";
export { type AssembledBlock, assembleBlock, type BlockInput, describeShard } from "./assemble-block.ts";
export { type Block, type BlockInfo, readBlock, readBlockQueueChange, sumValueFlow, type ValueFlow } from "./block.ts";
export {
  type BlockHeader,
  type BlockParts,
  readBlockConfig,
  readBlockHeader,
  readBlockParts,
  readBlockShards,
  type SoftwareVersion,
} from "./block-parts.ts";
export {
  lookUpTransaction,
  type PlacedTransaction,
  readTransactions,
  type TransactionPlace,
  type TransactionRange,
} from "./block-transactions.ts";
export type { BlockTransaction, DeliveredMessage } from "./message-descriptions.ts";
