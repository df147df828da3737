/** The steps of a chain from a lite server, and from its folder. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hex } from "@chain-query/format/cells";
import type { Step, StepAccount, StepBlock, StepRange, StepSource } from "@chain-query/format/store";
import { type LiteClientOptions, liteClient, parseGlobalConfig } from "@chain-query/lite";
import { formatGlobalConfig, type LiteServer, liteChain, startLiteServer } from "@chain-query/lite/answers";
import { chainSteps, type LocalChain, openChain, openProducer, type Producer } from "@chain-query/local-chain";
import { copyMadeChain, type MadeChainOptions } from "@chain-query/local-chain/testing";
import { FROZEN } from "@chain-query/testing/chains";
import { expect } from "vitest";
import { liteServerSteps } from "../../src/sources/lite-servers.ts";

/** The steps of the chain at first. */
export const STEPS: number = FROZEN.steps;
export const serverKey: Uint8Array = new Uint8Array(32).fill(9);

export interface ServedChain {
  readonly directory: string;
  readonly producer: Producer;
  readonly chain: LocalChain;
  readonly server: LiteServer;
  /** The steps in the folder. */
  readonly expected: readonly Step[];
  close(): Promise<void>;
}

/** A range of steps, both ends included. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Starts a lite server of a chain, by default of one whose accounts freeze and are deleted. */
export async function serveChain(options: MadeChainOptions = FROZEN, key: Uint8Array = serverKey): Promise<ServedChain> {
  const directory = mkdtempSync(join(tmpdir(), "indexer-"));
  await copyMadeChain(directory, options);
  const producer = await openProducer(directory);
  const chain = openChain(directory);
  const server = await startLiteServer({ chain: liteChain(chain), key });
  return {
    directory,
    producer,
    chain,
    server,
    expected: await stepsOf(chainSteps(directory), { from: 1, to: options.steps }),
    async close() {
      await server.close();
      await chain.close();
      await producer.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Steps from a server. */
export function stepsFrom(server: LiteServer, options: LiteClientOptions = {}, headTimeoutMs?: number): StepSource {
  // The default rate is too low for a local server. On a busy machine, its answers may take seconds: three late ones end the connection, and
  // a read that has lost it twice fails, since there is no other server to ask.
  const client = liteClient(parseGlobalConfig(formatGlobalConfig(server.config())), {
    rate: 100_000,
    ...{ timeoutMs: 30_000, attemptTimeoutMs: 30_000 },
    cacheBytes: 2 ** 20,
    ...options,
  });
  return liteServerSteps({ client, headTimeoutMs });
}

/** Reads steps, and closes their source. */
export async function stepsOf(source: StepSource, range: StepRange): Promise<Step[]> {
  const steps: Step[] = [];
  try {
    for await (const step of source.steps(range, new AbortController().signal)) steps.push(step);
  } finally {
    await source.close();
  }
  return steps;
}

/** Expects that steps from the server equal those of the chain in all fields, and returns them. */
export async function expectStepsOfChain({ server, expected }: ServedChain, { from, to }: Range): Promise<Step[]> {
  const steps = await stepsOf(stepsFrom(server), { from, to });
  expect(steps.length).toBe(to - from + 1);
  expect(steps.map(comparable)).toEqual(expected.slice(from - 1, to).map(comparable));
  return steps;
}

/** A step with hashes in place of cells. */
export function comparable({ masterchain, shards, accounts }: Step): unknown {
  return {
    masterchain: comparableBlock(masterchain),
    shards: shards.map(comparableBlock),
    accounts: accounts.map(comparableAccount),
  };
}

function comparableBlock({ transactions, ...block }: StepBlock) {
  return { ...block, transactions: transactions.map(({ account, cell }) => ({ account, hash: hex(cell.hash) })) };
}

/** An account with its hash in place of its cell. */
export function comparableAccount({ account: { workchain, hash }, shardAccount }: StepAccount): unknown {
  return { workchain, address: hex(hash), hash: hex(shardAccount.hash) };
}
