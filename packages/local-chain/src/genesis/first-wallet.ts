import type { AccountId } from "../domain.ts";
import { population } from "./population.ts";

/**
 * A wallet that a chain begins with: somewhere to start reading a chain that one knows nothing else of.
 *
 * @param seed - The seed that the chain was made from.
 * @param index - From 0 to one less than the chain's `accounts`.
 *
 * @example
 * const chain = openChain("my-chain"); // made with seed 1
 * for (const transaction of chain.transactions(firstWallet(1n, 0))) console.log(transaction.id.lt);
 */
export function firstWallet(seed: bigint, index: number): AccountId {
  return population(seed).wallet(index).id;
}
