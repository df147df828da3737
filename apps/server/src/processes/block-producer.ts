/**
 * The program of the process that produces blocks, so that requests never wait for contract execution. Creates the chain if absent, and
 * ends between two blocks when its parent disconnects or dies.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createChain, openProducer } from "@chain-query/local-chain";
import { checkFile, checkIdentity, hasChain, readIdentity } from "../sources/chain-identity.ts";
import { failedMessage, type ProducerMessage, type ProducerTask } from "./ipc.ts";

/** Blocks of the history that a new chain starts with. */
const firstBlocks = 120;
/** The longest delay of a timer, in milliseconds. */
const maxDelay = 2 ** 31 - 1;

const stop = new AbortController();
process.once("disconnect", () => stop.abort());
process.once("SIGTERM", () => stop.abort());
// Ctrl-C reaches all processes of a terminal; the parent decides what happens.
process.on("SIGINT", () => {});

try {
  await produce(JSON.parse(process.argv[2] ?? "{}") as ProducerTask);
} catch (error) {
  send(failedMessage(error));
  process.exitCode = 1;
}
if (process.connected) process.disconnect();

async function produce({ chain, seed, blockInterval, identity }: ProducerTask): Promise<void> {
  // A later start that finds no chain must not make another one: its folder was removed, or a disk is missing.
  const isNew = identity === undefined && !hasChain(chain);
  if (isNew) await createChain(chain, { seed, blockInterval, startTime: now() - firstBlocks * blockInterval });
  const found = await readIdentity(chain);
  if (identity !== undefined) checkIdentity(chain, identity, found);
  const producer = await openProducer(chain);
  try {
    while (isNew && producer.head.seqno < firstBlocks && !stop.signal.aborted) {
      await producer.step();
      send({ kind: "chain-query:creating", step: producer.head.seqno, of: firstBlocks });
    }
    send({ kind: "chain-query:producing", identity: found });
    while (!stop.signal.aborted) {
      const wait = (producer.head.time + blockInterval) * 1000 - Date.now();
      if (wait > 0 && !(await waited(wait))) break;
      checkFile(chain, found);
      // After a pause of the service, the next block has the current time, not the time after the last block.
      const { seqno, transactionCount } = await producer.step({ time: Math.max(producer.head.time + 1, now()) });
      send({ kind: "chain-query:block", seqno, transactions: transactionCount });
    }
  } finally {
    await producer.close();
  }
}

/** Waits. Returns false if stopped meanwhile. */
async function waited(ms: number): Promise<boolean> {
  try {
    await sleep(Math.min(ms, maxDelay), undefined, { signal: stop.signal });
    return true;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return false;
  }
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

function send(message: ProducerMessage): void {
  // The callback swallows the error of a parent that has just died, which must not stop production in the middle of a block.
  if (process.connected) process.send?.(message, () => {});
}
