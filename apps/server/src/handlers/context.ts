import type { ChainSource } from "../chain-source.ts";
import type { BlockType } from "../convert/block-id.ts";
import type { History } from "../history.ts";
import type { Messages } from "../messages.ts";

/** What every handler is given beside the request. */
export interface Context {
  readonly source: ChainSource;
  /** Pages of transactions, from the same source. */
  readonly history: History;
  /** The transactions at the ends of messages, from the same source. */
  readonly messages: Messages;
  /** The network's word in the names of blocks (D-01). */
  readonly blockType: BlockType;
}
