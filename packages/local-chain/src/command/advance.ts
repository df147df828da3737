import { setImmediate as turn } from "node:timers/promises";
import { openProducer } from "../production/producer.ts";
import { listenForEnding } from "./ending.ts";
import { progressBar } from "./progress-bar.ts";

/** Makes a number of blocks of every shard at full speed. Ctrl-C ends it after the block that is being made. */
export async function advance({ directory, steps }: { readonly directory: string; readonly steps: number }): Promise<number> {
  const ending = listenForEnding();
  const bar = progressBar(process.stderr, steps);
  const start = performance.now();
  const producer = await openProducer(directory);
  let done = 0;
  let transactions = 0;
  try {
    while (done < steps && ending.exitCode === undefined) {
      transactions += (await producer.step()).transactionCount;
      done += 1;
      bar.show(done, `${perSecond(transactions, start)} transactions/s`);
      // Signals are heard between two blocks only.
      await turn();
    }
  } finally {
    bar.clear();
    await producer.close();
    ending.release();
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const stopped = done < steps ? `stopped after ${done} of ${steps} blocks; ` : "";
  console.log(
    `${stopped}masterchain block ${producer.head.seqno}, ${transactions} transactions in ${seconds} s (${perSecond(transactions, start)}/s)`,
  );
  return ending.exitCode ?? 0;
}

function perSecond(count: number, start: number): number {
  return Math.round((count * 1000) / Math.max(1, performance.now() - start));
}
