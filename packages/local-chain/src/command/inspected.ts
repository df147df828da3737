import type { ChainReader } from "../domain.ts";
import type { Tables } from "../store/tables.ts";

/** A chain that is looked at: through its reader, and through its tables for what readers need not ask. */
export interface Inspected {
  readonly chain: ChainReader;
  readonly tables: Tables;
}
