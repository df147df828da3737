import { type Producer, startProducer } from "./production/producer.ts";
import { arrivals } from "./traffic/traffic.ts";

/**
 * Opens a chain to make blocks, with generated traffic.
 *
 * @param directory - A folder that `createChain` made.
 * @throws ChainStoreError if the folder holds no chain, or another process makes its blocks.
 *
 * @example
 * const producer = await openProducer("my-chain");
 * await producer.step();
 * await producer.close();
 */
export function openProducer(directory: string): Promise<Producer> {
  return startProducer(directory, arrivals);
}
