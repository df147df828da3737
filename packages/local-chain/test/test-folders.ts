import { statSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@chain-query/testing/folders";
import { open } from "lmdb";
import type { ChainCommit } from "../src/store/commit.ts";
import { createStore, openStore } from "../src/store/store.ts";
import { type SyntheticOptions, syntheticGenesis, syntheticSteps } from "../src/testing/synthetic-chain.ts";

/** A folder with a synthetic chain, and its steps. */
interface SyntheticStore {
  readonly directory: string;
  readonly steps: readonly ChainCommit[];
}

export const SMALL: SyntheticOptions = { accounts: 20, transactionsPerStep: 15 };

export function firstSteps(count: number, options: SyntheticOptions = SMALL): ChainCommit[] {
  const steps = syntheticSteps(options);
  return Array.from({ length: count }, () => steps.next().value);
}

export async function syntheticStore(count: number, options: SyntheticOptions = SMALL): Promise<SyntheticStore> {
  const directory = temporaryFolder();
  const steps = firstSteps(count, options);
  await createStore(directory, syntheticGenesis(options));
  const writer = openStore(directory);
  for (const step of steps) await writer.commit(step);
  await writer.close();
  return { directory, steps };
}

/** Records that are written and removed in one transaction, and need new pages. */
const temporary = Array.from({ length: 150 }, (_, i) => [`temporary ${i}`, Buffer.alloc(500, i)] as const);

/** The file of a chain, as LMDB leaves it after a transaction that frees the last pages that it allocated. */
export async function shortFile(): Promise<{ readonly directory: string; readonly file: string; readonly length: number }> {
  const { directory } = await syntheticStore(4);
  const file = join(directory, "chain.mdb");
  const root = open<Uint8Array, Uint8Array>({ path: file, encoding: "binary", keyEncoding: "binary", overlappingSync: false });
  const producer = root.openDB<Uint8Array, Uint8Array>({ name: "producer", encoding: "binary", keyEncoding: "binary" });
  root.transactionSync(() => {
    for (const [name, value] of temporary) producer.putSync(Buffer.from(name), value);
    for (const [name] of temporary) producer.removeSync(Buffer.from(name));
  });
  await root.close();
  return { directory, file, length: statSync(file).size };
}
