/** Chains for tests, made once and copied. */
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Step } from "@chain-query/format/store";
import { tryLock } from "fs-native-extensions";
import { createChain } from "../genesis/create-chain.ts";
import type { ChainOptions } from "../genesis/options.ts";
import { openProducer } from "../production/producer.ts";
import { chainSteps } from "../reading/chain-steps.ts";
import { chainFileToRead } from "../store/chain-folder.ts";
import { openTables } from "../store/tables.ts";

/** The options of a made chain. */
export interface MadeChainOptions extends Partial<Omit<ChainOptions, "seed">> {
  readonly seed: number;
  /** Steps to produce after the zero state. */
  readonly steps: number;
  /** The rate of the steps after a block. A chain without it, and equal options otherwise, has the same blocks up to this one. */
  readonly fork?: { readonly after: number; readonly rate: number };
}

/**
 * The folder of a chain, for tests that only read it. Chains with equal options are the same, so that each is produced only once and kept
 * in the folder that the environment variable `CHAIN_QUERY_TEST_CACHE` names (default: `chain-query-test-cache` in the system's temporary
 * folder), under a hash of the options and of the code that produces chains.
 *
 * @throws ChainOptionError if an option is not accepted.
 *
 * @example
 * const chain = openChain(await madeChain({ seed: 1, accounts: 20, steps: 10 }));
 */
export async function madeChain(options: MadeChainOptions): Promise<string> {
  const cache = process.env["CHAIN_QUERY_TEST_CACHE"] || join(tmpdir(), "chain-query-test-cache");
  const made = join(cache, `chain-${createHash("sha256").update(sourcesHash()).update(JSON.stringify(options)).digest("hex")}`);
  if (!existsSync(made)) await makeOnce(made, options);
  return made;
}

/**
 * Copies the chain of `madeChain` into a folder, for tests that write to it.
 *
 * @param directory - A folder that does not exist yet, or is empty.
 * @throws ChainOptionError if an option is not accepted.
 *
 * @example
 * await copyMadeChain("my-chain", { seed: 1, accounts: 20, steps: 10 });
 */
export async function copyMadeChain(directory: string, options: MadeChainOptions): Promise<void> {
  const made = await madeChain(options);
  mkdirSync(directory, { recursive: true });
  // Locks belong to the processes that hold them.
  cpSync(made, directory, { recursive: true, mode: constants.COPYFILE_FICLONE, filter: (file) => !file.endsWith("lock") });
}

/** Produces the chain, or waits for another process that does. The folder appears when it is complete. */
async function makeOnce(made: string, { steps, fork, ...options }: MadeChainOptions): Promise<void> {
  mkdirSync(dirname(made), { recursive: true });
  const lock = openSync(`${made}.lock`, "w");
  try {
    while (!tryLock(lock)) await sleep(50);
    if (existsSync(made)) return;
    const unfinished = mkdtempSync(join(dirname(made), "unfinished-"));
    await createChain(unfinished, options);
    const producer = await openProducer(unfinished);
    await producer.steps(Array.from({ length: steps }, (_, index) => (fork && index >= fork.after ? { rate: fork.rate } : {})));
    await producer.close();
    renameSync(unfinished, made);
  } finally {
    closeSync(lock);
  }
}

let sources: Buffer | undefined;

/** A hash of the code that determines a chain: this package, the formats, and the version of the virtual machine. */
function sourcesHash(): Buffer {
  if (sources !== undefined) return sources;
  const machine = import.meta.resolve("@ton/sandbox");
  const hash = createHash("sha256").update(machine);
  const [cells, records] = [import.meta.resolve("@chain-query/format/cells"), import.meta.resolve("@chain-query/format/store")];
  for (const folder of [new URL("..", import.meta.url), new URL("..", cells), new URL(".", records)]) {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /(?<!\.d)\.[jt]s$/.test(file));
    for (const file of files.sort()) hash.update(readFileSync(new URL(file, folder)));
  }
  sources = hash.digest();
  return sources;
}

/**
 * Reads the records of a table as they are stored.
 *
 * @returns Key and record in hexadecimal digits, by key.
 *
 * @example
 * const records = await storedRecords("my-chain", "transactions");
 */
export async function storedRecords(
  directory: string,
  table: "transactions" | "versions" | "blocks",
): Promise<ReadonlyMap<string, string>> {
  const tables = openTables(chainFileToRead(directory), "read");
  try {
    const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
    return new Map(Array.from(tables[table].getRange(), ({ key, value }) => [hex(key), hex(value)]));
  } finally {
    await tables.root.close();
  }
}

/** Reads all steps of a chain but the zero states. */
export async function stepsOf(directory: string): Promise<readonly Step[]> {
  const source = chainSteps(directory);
  const steps: Step[] = [];
  const range = { from: 1, to: await source.newest() };
  for await (const step of source.steps(range, new AbortController().signal)) steps.push(step);
  await source.close();
  return steps;
}
