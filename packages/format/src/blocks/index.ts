export { type AssembledBlock, assembleBlock, type BlockInput, describeShard } from "./assemble-block.ts";
export { type Block, type BlockInfo, readBlock, type ValueFlow } from "./block.ts";
export type { BlockTransaction, DeliveredMessage } from "./message-descriptions.ts";
