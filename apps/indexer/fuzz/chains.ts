import { createChain, openProducer } from "@chain-query/local-chain";

/** Makes a small chain of executed contracts. */
export async function produceChain(folder: string, steps: number): Promise<void> {
  await createChain(folder, { seed: 5, accounts: 20, shards: 2, rate: 4 });
  const producer = await openProducer(folder);
  for (let i = 0; i < steps; i++) await producer.step();
  await producer.close();
}
