import type { ChainCommit, ChainStoreWriter } from "../store/commit.ts";
import { openStore } from "../store/open-store.ts";
import { arrivals } from "../traffic/traffic.ts";
import type { Network } from "./network.ts";
import { openNetwork } from "./open-network.ts";
import { produceStep } from "./step.ts";
import { submitted } from "./submission.ts";

/** What may differ from one step to another. Steps that are given nothing follow from the chain's options alone. */
export interface StepOptions {
  /** Unix seconds of the blocks, above those of the step before; the chain's interval after it where absent. */
  readonly time?: number;
  /** Messages from outside that are made for the step; the chain's rate where absent. */
  readonly rate?: number;
  /**
   * Messages from outside to put into the pool besides, each a bag of cells (TL-B Message). An account that does not accept one
   * leaves no trace of it, as on any network.
   */
  readonly messages?: readonly Uint8Array[];
}

/** What a step brought. */
export interface ProducedStep {
  /** Of the masterchain block. */
  readonly seqno: number;
  /** Unix seconds. */
  readonly time: number;
  /** In all blocks of the step. */
  readonly transactionCount: number;
}

/** The one that makes the blocks of a chain. While it is open, nobody else writes the chain; any number may read it. */
export interface Producer {
  /** The newest masterchain block; 0 and the zero state's time where there is none. */
  readonly head: { readonly seqno: number; readonly time: number };
  /**
   * Makes a block of every shard and the masterchain block that commits them, and keeps them. They are there, whole, when the
   * promise resolves. A step that is asked for before the one before is done waits for it.
   *
   * @throws RangeError where the time is not above the step before, the rate is no whole number from 0 to 10000, or a message is none from outside.
   * @throws ChainStoreError where the step could not be kept; the chain is then as it was, and the producer makes no other step.
   */
  step(options?: StepOptions): Promise<ProducedStep>;
  close(): Promise<void>;
}

/**
 * Opens a chain to go on with it.
 *
 * @param directory - A folder that `createChain` made.
 * @throws ChainStoreError where the folder holds no chain, or another process makes its blocks.
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
  let isBroken = false;
  let last: Promise<unknown> = Promise.resolve();

  const step = async ({ time, rate, messages }: Required<StepOptions>): Promise<ProducedStep> => {
    if (isBroken) throw new Error("a step failed, so the chain is to be opened again before it can go on");
    checkTime(time, head().time);
    const given = submitted(network, messages);
    isBroken = true;
    const commit = await produceStep(network, time, [...given, ...arrivals(network, head().seqno + 1, time, rate)]);
    await store.commit(commit);
    network.accounts.forget();
    isBroken = false;
    return { seqno: commit.masterchain.id.seqno, time, transactionCount: transactionsIn(commit) };
  };

  return {
    get head() {
      return head();
    },
    async step({ time, rate = options.rate, messages = [] } = {}) {
      checkRate(rate);
      const next = last.then(() => step({ time: time ?? head().time + options.blockInterval, rate, messages }));
      last = next.catch(() => undefined);
      return next;
    },
    async close() {
      await last;
      await network.machine.close();
      await store.close();
    },
  };
}

/** The last second that a block can name. */
const LAST_TIME = 2 ** 32 - 1;

function checkTime(time: number, before: number): void {
  if (!(time > before)) throw new RangeError(`time ${time} is not above ${before}, the time of the step before`);
  if (!Number.isInteger(time) || time > LAST_TIME)
    throw new RangeError(`time ${time}: whole seconds up to ${LAST_TIME} are accepted`);
}

function checkRate(rate: number): void {
  if (!(Number.isInteger(rate) && rate >= 0 && rate <= 10_000)) {
    throw new RangeError(`rate ${rate}: a whole number from 0 to 10000 is accepted`);
  }
}

function transactionsIn({ masterchain, shards }: ChainCommit): number {
  return [...shards, masterchain].reduce((sum, { transactions }) => sum + transactions.length, 0);
}
