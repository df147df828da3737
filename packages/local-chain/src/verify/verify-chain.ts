import { chainFileOf } from "../store/folder.ts";
import { openTables } from "../store/tables.ts";
import { naming } from "./fault.ts";
import { verification } from "./verification.ts";

/** What was found to be right. */
export interface Verified {
  /** Masterchain blocks. */
  readonly steps: number;
  /** Of all shards. */
  readonly blocks: number;
  readonly transactions: number;
  readonly accounts: number;
  /** In the smallest unit: genesis + minted - burnt = balances + inFlight. */
  readonly value: Readonly<Record<"genesis" | "minted" | "burnt" | "balances" | "inFlight", bigint>>;
}

/**
 * Re-hashes every block of a chain, and re-checks every link, index and balance. Looks at one state of the store from beginning to
 * end, so a writer may go on meanwhile.
 *
 * @param onStep - Told after each masterchain block, with how many there are.
 * @throws ChainFault at the first thing that is wrong.
 * @throws ChainStoreError where the folder holds no chain that can be opened.
 */
export async function verifyChain(
  directory: string,
  onStep: (step: number, steps: number) => void = () => {},
): Promise<Verified> {
  const tables = openTables(chainFileOf(directory), "read");
  try {
    // The store shows one state for as long as nothing else gets its turn.
    const chain = naming("the beginning of the chain", () => verification(tables));
    for (let step = 1; step <= chain.steps; step++) {
      naming(`step ${step}`, () => chain.checkStep(step));
      onStep(step, chain.steps);
    }
    return naming("the end of the chain", () => chain.finish());
  } finally {
    await tables.root.close();
  }
}
