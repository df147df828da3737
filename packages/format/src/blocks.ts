export { assembleBlock, describeShard } from "./block/assemble.ts";
export type { AssembledBlock, BlockContent, BlockTransaction, DeliveredMessage, ValueFlow } from "./block/content.ts";
