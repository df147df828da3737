import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeBoc } from "@chain-query/format/cells";
import { addCurrencies, type Currencies, coinsOnly, NO_CURRENCIES } from "@chain-query/format/currencies";
import type { AccountId, StepBlock } from "@chain-query/format/store";
import { Cell, loadTransaction, type Transaction } from "@ton/core";
import { expect } from "vitest";
import { createChain } from "../../src/genesis/create-chain.ts";
import type { ChainOptions } from "../../src/genesis/options.ts";
import { allShards, type Network, openNetwork, waitingMessages } from "../../src/production/network.ts";
import { produceStep } from "../../src/production/produce-step.ts";
import type { ChainCommit } from "../../src/store/commit.ts";
import { openStore } from "../../src/store/store.ts";
import { arrivals } from "../../src/traffic/traffic.ts";

/** A chain in a folder, with the commits that it was made from. */
export interface ProducedChain {
  readonly directory: string;
  readonly steps: readonly ProducedStep[];
  /** The sum of the balances at genesis. */
  readonly genesisValue: Currencies;
}

interface ProducedStep {
  readonly commit: ChainCommit;
  readonly balances: Currencies;
  /** Value and fees of the messages that wait in queues for their destination. */
  readonly inFlight: Currencies;
  /** `messageName` of those messages. */
  readonly waiting: readonly string[];
}

/** Produces a chain in a temporary folder, which the caller removes. */
export async function producedChain(
  options: { seed: number } & Partial<Omit<ChainOptions, "seed">>,
  count: number,
): Promise<ProducedChain> {
  const directory = mkdtempSync(join(tmpdir(), "local-chain-"));
  await createChain(directory, options);
  const store = openStore(directory);
  const network = openNetwork(store);
  try {
    const genesisValue = balancesOf(network);
    const steps: ProducedStep[] = [];
    for (let i = 0; i < count; i++) {
      const time = network.masterchain.tip.time + network.options.blockInterval;
      const seqno = network.masterchain.tip.id.seqno + 1;
      const arrived = arrivals(network, waitingMessages(network), { seqno, time, rate: network.options.rate });
      const commit = await produceStep(network, time, arrived);
      await store.commit(commit);
      network.accounts.clear();
      steps.push({ commit, balances: balancesOf(network), inFlight: inFlightIn(network), waiting: waitingIn(network) });
    }
    return { directory, steps, genesisValue };
  } catch (cause) {
    rmSync(directory, { recursive: true, force: true });
    throw cause;
  } finally {
    await network.machine.close();
    await store.close();
  }
}

/** The blocks and transactions of a chain. */
interface Committed<Block extends StepBlock> {
  readonly steps: readonly { readonly commit: { readonly shards: readonly Block[]; readonly masterchain: Block } }[];
}

export function blocksOf<Block extends StepBlock>({ steps }: Committed<Block>): Block[] {
  return steps.flatMap(({ commit }) => [...commit.shards, commit.masterchain]);
}

/** A transaction parsed by `@ton/core`, with its workchain. */
export interface ReadTransaction {
  readonly workchain: number;
  readonly block: StepBlock;
  readonly transaction: Transaction;
}

const read = new WeakMap<object, ReadTransaction[]>();

/** All transactions, block by block. A chain is read once. */
export function transactionsOf(chain: Committed<StepBlock>): readonly ReadTransaction[] {
  const known = read.get(chain);
  if (known) return known;
  const all = blocksOf(chain).flatMap((block) =>
    block.transactions.map(({ account, cell }) => ({
      workchain: account.workchain,
      block,
      transaction: loadTransaction(coreCell(writeBoc(cell)).beginParse()),
    })),
  );
  read.set(chain, all);
  return all;
}

/** The root of a bag of cells, as `@ton/core` reads it. */
export function coreCell(boc: Uint8Array): Cell {
  return Cell.fromBoc(Buffer.from(boc))[0] ?? expect.fail();
}

function balancesOf(network: Network): Currencies {
  return allShards(network).reduce((sum, { state }) => addCurrencies(sum, state.accounts.extra), NO_CURRENCIES);
}

/** Value of the messages that no shard has imported. An imported message stays in its sender's queue for one more block. */
function inFlightIn(network: Network): Currencies {
  let sum = NO_CURRENCIES;
  for (const { message } of allShards(network).flatMap(({ inbound }) => inbound)) {
    sum = addCurrencies(sum, addCurrencies(message.value, coinsOnly(message.forwardFee)));
  }
  return sum;
}

function waitingIn(network: Network): string[] {
  return allShards(network).flatMap(({ inbound }) =>
    inbound.map(({ message: { source, destination, createdLt } }) =>
      messageName(rawAddress(source as AccountId), rawAddress(destination as AccountId), createdLt),
    ),
  );
}

/** The identity of an internal message, with raw addresses. */
export function messageName(source: string, destination: string, createdLt: bigint): string {
  return `${source} ${destination} ${createdLt}`;
}

/** Workchain and hexadecimal digits. */
export function rawAddress({ workchain, hash }: AccountId): string {
  return `${workchain}:${Buffer.from(hash).toString("hex")}`;
}
