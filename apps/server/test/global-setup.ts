/** Creates one chain for all tests of a run: 60 masterchain blocks, 200 accounts, about 3,000 transactions. Tests only read it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createChain, openProducer } from "@chain-query/local-chain";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of the chain. */
    chain: string;
  }
}

/** Seqno of the latest masterchain block; each step of the producer makes one. */
export const headSeqno = 60;
const blockInterval = 5;

export default async function setup({ provide }: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "chain-query-server-"));
  const chain = join(folder, "chain");
  const startTime = Math.floor(Date.now() / 1000) - headSeqno * blockInterval;
  await createChain(chain, { seed: 1, startTime, blockInterval, accounts: 200 });
  const producer = await openProducer(chain);
  for (let step = 0; step < headSeqno; step++) await producer.step();
  await producer.close();
  provide("chain", chain);
  return () => rmSync(folder, { recursive: true, force: true });
}
