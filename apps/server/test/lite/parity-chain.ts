/** A local chain with traffic of every kind and the service on its folder, whose answers are compared with those of other sources. */
import { join } from "node:path";
import { createChain, openProducer, type Producer } from "@chain-query/local-chain";
import { startService, type TestService, temporaryFolder } from "../fixtures/service.ts";
import { type ChainFacts, factsOf } from "./chain-requests.ts";

export interface ParityChain extends AsyncDisposable {
  /** A folder that is removed at the end. */
  readonly path: string;
  readonly chain: string;
  readonly producer: Producer;
  readonly facts: ChainFacts;
  /** The service on the folder. */
  readonly direct: TestService;
}

/** Makes the chain, in four shards. Accounts freeze because a block is made once a day, and small blocks let messages wait. */
export async function startParityChain({ accounts, steps }: { accounts: number; steps: number }): Promise<ParityChain> {
  const folder = temporaryFolder();
  const chain = join(folder.path, "chain");
  await createChain(chain, { seed: 3, accounts, rate: 60, blockInterval: 86_400, shards: 4, transactionLimit: 30 });
  const producer = await openProducer(chain);
  await producer.steps(Array.from({ length: steps }, () => ({})));
  const facts = await factsOf(chain);
  const direct = await startService({ chain });
  return {
    ...{ path: folder.path, chain, producer, facts, direct },
    async [Symbol.asyncDispose]() {
      await direct[Symbol.asyncDispose]();
      await producer.close();
      folder[Symbol.dispose]();
    },
  };
}
