import { readBoc } from "@chain-query/format/cells";
import { type AccountId, containsAccount } from "@chain-query/format/identifiers";
import { type MessageHeader, readMessageHeader } from "@chain-query/format/messages";
import { type ChainOptions, nextBlockTime } from "../genesis/options.ts";
import type { ChainCommit, ChainStoreWriter } from "../store/commit.ts";
import type { WaitingMessage } from "../store/producer-state.ts";
import { openStore } from "../store/store.ts";
import { arrivals } from "../traffic/traffic.ts";
import { allShards, type Network, openNetwork, waitingMessages } from "./network.ts";
import { produceStep } from "./produce-step.ts";

/** Options of one step. Without options, a step depends only on the options of the chain. */
export interface StepOptions {
  /** Unix seconds of the blocks, not below those of the previous step. Default: the previous time plus the chain's block interval. */
  readonly time?: number;
  /** External messages that the traffic generates for the step. Default: the chain's rate. */
  readonly rate?: number;
  /**
   * More external messages for the pool, each a bag of cells (TL-B Message). A message that its account does not accept leaves no
   * trace, as on any network.
   */
  readonly messages?: readonly Uint8Array[];
}

/** Result of a step. */
export interface ProducedStep {
  /** Of the masterchain block. */
  readonly seqno: number;
  /** Unix seconds. */
  readonly time: number;
  /** In all blocks of the step. */
  readonly transactionCount: number;
}

/** The producer of a chain's blocks. While it is open, no other process can write the chain; any number can read it. */
export interface Producer {
  /** The options that the chain was made from. */
  readonly options: ChainOptions;
  /** The newest masterchain block; seqno 0 and the zero state's time if there is no block yet. */
  readonly head: { readonly seqno: number; readonly time: number };
  /**
   * Makes a block of every shard and the masterchain block that commits them, and stores them. They are on disk when the promise
   * resolves. Concurrent calls are executed in order.
   *
   * @throws RangeError if the time is below the previous step's, the rate is not a whole number from 0 to 10000, or a message is not external.
   * @throws ChainStoreError if the step cannot be stored; the chain is unchanged, and this producer makes no other step.
   */
  step(options?: StepOptions): Promise<ProducedStep>;
  /**
   * Makes several steps and stores them at once, with one fsync for all of them. Readers see either all of them or no new step.
   *
   * @throws As `step` does.
   */
  steps(options: readonly StepOptions[]): Promise<ProducedStep[]>;
  close(): Promise<void>;
}

/**
 * Opens a chain to make blocks, with generated traffic.
 *
 * @param directory - A folder that `createChain` made.
 * @throws ChainStoreError if the folder holds no chain, another process makes its blocks, or this process has it open for reading.
 *
 * @example
 * const producer = await openProducer("my-chain");
 * await producer.step();
 * await producer.close();
 */
export async function openProducer(directory: string): Promise<Producer> {
  const store = openStore(directory);
  try {
    return producer(store, openNetwork(store));
  } catch (cause) {
    await store.close();
    throw cause;
  }
}

function producer(store: ChainStoreWriter, network: Network): Producer {
  const { masterchain, options } = network;
  const head = () => ({ seqno: masterchain.tip.id.seqno, time: masterchain.tip.time });
  let hasFailed = false;
  let last: Promise<unknown> = Promise.resolve();

  const execute = async ({
    time = nextBlockTime(options, head()),
    rate = options.rate,
    messages = [],
  }: StepOptions): Promise<ChainCommit> => {
    checkTime(time, head().time);
    const given = submitted(network, messages);
    // From here on a failure leaves the network in memory ahead of the store.
    hasFailed = true;
    const seqno = head().seqno + 1;
    return produceStep(network, time, [...given, ...arrivals(network, waitingMessages(network), { seqno, time, rate })]);
  };

  const run = async (all: readonly StepOptions[]): Promise<ProducedStep[]> => {
    if (hasFailed) throw new Error("a step failed; open the chain again");
    const commits: ChainCommit[] = [];
    for (const one of all) commits.push(await execute(one));
    await store.commit(...commits);
    network.accounts.clear();
    hasFailed = false;
    return commits.map(producedStep);
  };

  const steps: Producer["steps"] = async (all) => {
    for (const { rate = options.rate } of all) checkRate(rate);
    const next = last.then(() => run(all));
    last = next.catch(() => undefined);
    return next;
  };

  return {
    options,
    get head() {
      return head();
    },
    steps,
    async step(one = {}) {
      const [made] = await steps([one]);
      return made as ProducedStep;
    },
    async close() {
      await last;
      await network.machine.close();
      await store.close();
    },
  };
}

/** Block times are 32-bit. */
const MAX_TIME = 2 ** 32 - 1;

function checkTime(time: number, previous: number): void {
  // Nodes allow equal times from version 13 of the network on.
  if (!(time >= previous)) throw new RangeError(`time ${time}: expected at least ${previous}, the time of the previous step`);
  if (!Number.isInteger(time) || time > MAX_TIME)
    throw new RangeError(`time ${time}: expected whole seconds up to ${MAX_TIME}`);
}

function checkRate(rate: number): void {
  if (!(Number.isInteger(rate) && rate >= 0 && rate <= 10_000)) {
    throw new RangeError(`rate ${rate}: expected a whole number from 0 to 10000`);
  }
}

function producedStep({ masterchain, shards }: ChainCommit): ProducedStep {
  const transactionCount = [...shards, masterchain].reduce((sum, { transactions }) => sum + transactions.length, 0);
  return { seqno: masterchain.id.seqno, time: masterchain.time, transactionCount };
}

/**
 * Checks external messages that a caller submits, and numbers them after those of earlier steps.
 *
 * @throws RangeError at the first that is not an external message to an account of this network. No message is numbered then.
 */
function submitted(network: Network, bocs: readonly Uint8Array[]): WaitingMessage[] {
  const destinations = bocs.map((boc, index) => destinationOf(network, boc, index));
  return bocs.map((boc, index) => ({ number: network.counters.messages++, to: destinations[index] as AccountId, boc }));
}

function destinationOf(network: Network, boc: Uint8Array, index: number): AccountId {
  const { kind, destination } = parseMessage(boc, index);
  if (kind !== "external-in" || destination === undefined) {
    throw new RangeError(`message ${index} is ${kind}: expected an external message to an account`);
  }
  if (!allShards(network).some(({ state }) => containsAccount(state.shard, destination))) {
    throw new RangeError(`message ${index} is for workchain ${destination.workchain}: expected -1 or 0`);
  }
  return destination;
}

function parseMessage(boc: Uint8Array, index: number): MessageHeader {
  try {
    return readMessageHeader(readBoc(boc));
  } catch (cause) {
    throw new RangeError(`message ${index} is not a message in a bag of cells`, { cause });
  }
}
