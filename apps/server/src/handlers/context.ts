import type { LocatedTransactions } from "../answers/located.ts";
import type { TransactionPages } from "../answers/pages.ts";
import type { ChainSource } from "../chain-source.ts";
import type { BlockType } from "../convert/block-id.ts";

/** What a handler receives besides the request. */
export interface Context {
  readonly source: ChainSource;
  readonly pages: TransactionPages;
  readonly located: LocatedTransactions;
  /** The `@type` of block identifiers, which names the network (D-01). */
  readonly blockType: BlockType;
}
