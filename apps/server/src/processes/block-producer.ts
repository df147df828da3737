/**
 * The program of the process that produces blocks, so that requests never wait for contract execution. Creates the chain if absent, and
 * ends between two blocks when its parent disconnects or dies.
 */
import { isUserError } from "@chain-query/command-line";
import { pause } from "@chain-query/format/async";
import { openProducer, type Producer } from "@chain-query/local-chain";
import { continueScenario, createScenario, SCENARIO_STEPS } from "@chain-query/local-chain/scenario";
import { messageOf } from "../failure.ts";
import { checkFile, checkIdentity, hasChain, readIdentity } from "../sources/chain-identity.ts";
import type { ProducerMessage, ProducerTask } from "./producer-supervisor.ts";

/** Blocks of the history that a chain starts with. */
const firstBlocks = 120;
/** Milliseconds. */
const maxSleep = 10_000;

/** The end of the last reported wait. */
let reportedWait = 0;

const stop = new AbortController();
process.once("disconnect", () => stop.abort());
// The parent may have died while the modules were loaded.
if (!process.connected) stop.abort();
process.on("SIGTERM", () => stop.abort());
// Ctrl-C reaches all processes of a terminal; only the parent handles it.
process.on("SIGINT", () => {});

try {
  await produce(JSON.parse(process.argv[2] ?? "{}") as ProducerTask);
} catch (error) {
  const forUser = isUserError(error);
  const message = (!forUser && error instanceof Error && error.stack) || messageOf(error);
  send({ kind: "chain-query:failed", message, isUserError: forUser });
  process.exitCode = 1;
}
if (process.connected) process.disconnect();

async function produce({ chain, blockInterval, identity }: ProducerTask): Promise<void> {
  // After the first start, a missing chain is an error: its folder was removed, or a disk is missing.
  if (identity === undefined && !hasChain(chain)) await createScenario(chain);
  const found = await readIdentity(chain);
  if (identity !== undefined) checkIdentity(chain, identity, found);
  const producer = await openProducer(chain);
  try {
    await produceHistory(producer, blockInterval, () => send({ kind: "chain-query:producing", identity: found }));
    while (!stop.signal.aborted) {
      if (!(await isDue(producer.head.time + blockInterval, blockInterval))) continue;
      checkFile(chain, found);
      // After a pause of the service, the next block has the current time, not the time after the last block.
      const { seqno, transactionCount } = await producer.step({ time: Math.max(producer.head.time + 1, now()) });
      send({ kind: "chain-query:block", seqno, transactions: transactionCount });
    }
  } finally {
    await producer.close();
  }
}

/** Produces the first blocks of a new chain without waiting. Calls `onReady` as soon as the chain has a block. */
async function produceHistory(producer: Producer, blockInterval: number, onReady: () => void): Promise<void> {
  if (stop.signal.aborted) return;
  let isReady = producer.head.seqno > 0;
  if (isReady) onReady();
  for await (const progress of history(producer, blockInterval)) {
    send({ kind: "chain-query:creating", ...progress });
    if (!isReady) onReady();
    isReady = true;
    if (stop.signal.aborted) return;
  }
  if (!isReady) onReady();
}

/** Produces the missing steps of the history of a new chain. */
async function* history(
  producer: Producer,
  blockInterval: number,
): AsyncGenerator<{ step: number; of: number }, void, undefined> {
  for await (const { seqno } of continueScenario(producer)) yield { step: seqno, of: SCENARIO_STEPS.head };
  while (producer.head.seqno < firstBlocks && producer.head.time + blockInterval <= now()) {
    const { seqno } = await producer.step({ time: producer.head.time + blockInterval });
    yield { step: seqno, of: firstBlocks };
  }
}

/** Whether the next block is due. Otherwise waits for it, at most ten seconds, since the clock may be set meanwhile. */
async function isDue(time: number, blockInterval: number): Promise<boolean> {
  const wait = time * 1000 - Date.now();
  if (wait <= 0) return true;
  if (wait > 2 * blockInterval * 1000 && time !== reportedWait) {
    reportedWait = time;
    send({ kind: "chain-query:ahead", until: time });
  }
  await pause(Math.min(wait, maxSleep), stop.signal);
  return false;
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}

function send(message: ProducerMessage): void {
  // The callback ignores the error of a dead parent, which must not stop production in the middle of a block.
  if (process.connected) process.send?.(message, () => {});
}
