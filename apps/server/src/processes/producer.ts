/**
 * The process that makes blocks, so that answering never waits for execution. It is told what to do by its parent, makes the chain
 * where there is none, and ends at a block's boundary when its parent says so or is gone.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { ChainOptionError, ChainStoreError, createChain, openProducer } from "@chain-query/local-chain";
import { hasChain } from "../sources/chain-folder.ts";

/** What the process is told, as JSON in its only argument. */
export interface ProducerTask {
  readonly chain: string;
  readonly seed: number;
  /** Seconds. */
  readonly blockInterval: number;
  /** Whether to go on making blocks once the chain is there. */
  readonly goOn: boolean;
}

/** What the process tells. */
export type ProducerNews =
  | { readonly kind: "making"; readonly step: number; readonly of: number }
  | { readonly kind: "ready" }
  | { readonly kind: "step"; readonly seqno: number; readonly transactions: number }
  /** The last word of a process that fails; whether it is the operator's to mend. */
  | { readonly kind: "failed"; readonly message: string; readonly isExpected: boolean };

/** Steps of the history that a new chain begins with. */
const firstSteps = 120;

const stop = new AbortController();
process.once("disconnect", () => stop.abort());
process.once("SIGTERM", () => stop.abort());
// Ctrl-C reaches every process of a terminal; what it means here, the parent says.
process.on("SIGINT", () => {});

try {
  await produce(JSON.parse(process.argv[2] ?? "{}") as ProducerTask);
} catch (error) {
  const isExpected = error instanceof ChainStoreError || error instanceof ChainOptionError;
  const message = error instanceof Error ? (isExpected ? error.message : (error.stack ?? error.message)) : String(error);
  tell({ kind: "failed", message, isExpected });
  process.exitCode = 1;
}
if (process.connected) process.disconnect();

async function produce({ chain, seed, blockInterval, goOn }: ProducerTask): Promise<void> {
  const isNew = !hasChain(chain);
  if (isNew) {
    const startTime = now() - firstSteps * blockInterval;
    await createChain(chain, { seed, blockInterval, startTime });
  }
  const producer = await openProducer(chain);
  try {
    while (isNew && producer.head.seqno < firstSteps && !stop.signal.aborted) {
      await producer.step();
      tell({ kind: "making", step: producer.head.seqno, of: firstSteps });
    }
    tell({ kind: "ready" });
    while (goOn && !stop.signal.aborted) {
      const wait = (producer.head.time + blockInterval) * 1000 - Date.now();
      if (wait > 0 && !(await slept(wait))) break;
      // After a pause of the service the next block is of now, not of the moment after the last one.
      const { seqno, transactionCount } = await producer.step({ time: Math.max(producer.head.time + 1, now()) });
      tell({ kind: "step", seqno, transactions: transactionCount });
    }
  } finally {
    await producer.close();
  }
}

/** False where the wait was cut short. A chain whose head is far in the future is not waited for in one go. */
async function slept(wait: number): Promise<boolean> {
  try {
    await sleep(Math.min(wait, 2 ** 31 - 1), undefined, { signal: stop.signal });
    return true;
  } catch {
    return false;
  }
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

function tell(news: ProducerNews): void {
  // A parent that has just gone hears nothing, which is no reason to stop in the middle of a block.
  if (process.connected) process.send?.(news, () => {});
}
