import { setTimeout as sleep, setImmediate as yieldToEvents } from "node:timers/promises";
import { listenForInterrupt, progressBar, statusLine, type Terminal } from "@chain-query/command-line";
import { createChain } from "../genesis/create-chain.ts";
import { openProducer, type Producer } from "../production/producer.ts";
import { openChain } from "../reading/chain-reader.ts";
import type { AdvanceCommand, InitCommand, RunCommand } from "./arguments.ts";

/** Makes a chain and prints its zero state. */
export async function init({ directory, options }: InitCommand, { stdout }: Terminal): Promise<number> {
  await createChain(directory, options);
  const chain = openChain(directory);
  const { block } = chain.genesis();
  const shards = chain.shards().length - 1;
  await chain.close();
  stdout.write(`${directory} holds a new chain of ${shards} ${shards === 1 ? "shard" : "shards"} and the masterchain\n`);
  stdout.write(`zero state ${Buffer.from(block.rootHash).toString("base64")}\n`);
  stdout.write(`next: chain-query-local-chain advance ${directory} 100\n`);
  return 0;
}

/** Makes a number of blocks of every shard at full speed. A signal ends it after the current block. */
export async function advance({ directory, steps }: AdvanceCommand, { stdout, stderr }: Terminal): Promise<number> {
  const interrupt = listenForInterrupt();
  const bar = progressBar(stderr, steps);
  const start = performance.now();
  const producer = await openProducer(directory);
  let done = 0;
  let transactions = 0;
  try {
    while (done < steps && interrupt.exitCode === undefined) {
      transactions += (await producer.step()).transactionCount;
      done += 1;
      bar.show(done, `${perSecond(transactions, start)} transactions/s`);
      // Signal handlers run between two blocks only.
      await yieldToEvents();
    }
  } finally {
    bar.clear();
    await producer.close();
    interrupt.release();
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const stopped = done < steps ? `stopped after ${done} of ${steps} blocks; ` : "";
  stdout.write(
    `${stopped}masterchain block ${producer.head.seqno}, ${transactions} transactions in ${seconds} s (${perSecond(transactions, start)}/s)\n`,
  );
  return interrupt.exitCode ?? 0;
}

function perSecond(count: number, start: number): number {
  return Math.round((count * 1000) / Math.max(1, performance.now() - start));
}

/** Makes blocks with the time of the clock until a signal; ends after the current block. */
export async function produceInRealTime(
  { directory, blockInterval, rate }: RunCommand,
  { stdout, stderr }: Terminal,
): Promise<number> {
  const interrupt = listenForInterrupt();
  const producer = await openProducer(directory);
  const pause = (blockInterval ?? producer.options.blockInterval) * 1000;
  const status = statusLine(stderr);
  stdout.write(`${directory}: a block every ${pause / 1000} s from ${producer.head.seqno + 1} on, until Ctrl-C\n`);
  const ahead = producer.head.time - Math.floor(Date.now() / 1000);
  if (ahead > 0) stdout.write(`${aheadOfClock(ahead, pause / 1000)}\n`);
  try {
    let due = performance.now();
    while (interrupt.exitCode === undefined) {
      const { seqno, transactionCount } = await producer.step({
        time: nextTime(producer, pause),
        ...(rate !== undefined && { rate }),
      });
      status.show(`masterchain block ${seqno}, ${transactionCount} transactions`);
      // A slow machine makes blocks without a pause, but does not catch up on missed ones.
      due = Math.max(due + pause, performance.now());
      await sleep(Math.max(0, due - performance.now()), undefined, { signal: interrupt.signal }).catch(() => {});
    }
  } finally {
    status.clear();
    await producer.close();
    interrupt.release();
  }
  stdout.write(`ended at masterchain block ${producer.head.seqno}\n`);
  return 0;
}

function aheadOfClock(seconds: number, interval: number): string {
  const behind = `the chain is ${seconds} s ahead of the clock`;
  if (interval < 1) return `${behind}: blocks have the time of the newest one until the clock catches up`;
  const rule = `${behind}: each block is 1 s later than the previous one until the clock catches up`;
  // With a block every second, the clock never catches up.
  if (interval <= 1) return rule;
  const wait = (seconds * interval) / (interval - 1);
  return `${rule}, at about ${new Date(Date.now() + wait * 1000).toISOString().slice(0, 19)}Z`;
}

/**
 * The clock's time, but later than the newest block: `advance` may have brought the chain ahead of the clock. Below a second from one block to
 * the next, it may be the same.
 */
function nextTime({ head }: Producer, pause: number): number {
  return Math.max(Math.floor(Date.now() / 1000), head.time + (pause < 1_000 ? 0 : 1));
}
