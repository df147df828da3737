import type { InitWish } from "../cli-options.ts";
import { createChain } from "../genesis/create-chain.ts";
import { openChain } from "../reading/open-chain.ts";

/** Makes a chain, and says what it is and what can be done with it. */
export async function init({ directory, seed, options }: InitWish): Promise<number> {
  await createChain(directory, { seed, ...options });
  const chain = openChain(directory);
  const { block } = chain.genesis();
  const shards = chain.shards().length - 1;
  await chain.close();
  console.log(`${directory} holds a new chain of ${shards} ${shards === 1 ? "shard" : "shards"} and the masterchain`);
  console.log(`zero state ${Buffer.from(block.rootHash).toString("base64")}`);
  console.log(`next: chain-query-local-chain advance ${directory} 100`);
  return 0;
}
