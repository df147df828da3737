import { setTimeout as sleep } from "node:timers/promises";
import type { RunWish } from "../cli-options.ts";
import { readOptions } from "../genesis/options.ts";
import { openProducer, type Producer } from "../production/producer.ts";
import { storedGenesis } from "../store/chain-records.ts";
import { chainFileOf } from "../store/folder.ts";
import { openTables } from "../store/tables.ts";
import { listenForEnding } from "./ending.ts";
import { statusLine } from "./status-line.ts";

/** Makes blocks in real time until it is asked to end; their times are the clock's. Ends after the block that is being made. */
export async function run({ directory, blockInterval, rate }: RunWish): Promise<number> {
  const ending = listenForEnding();
  const pause = (blockInterval ?? (await chainInterval(directory))) * 1000;
  const producer = await openProducer(directory);
  const status = statusLine(process.stderr);
  console.log(`${directory}: a block every ${pause / 1000} s from ${producer.head.seqno + 1} on, until Ctrl-C`);
  try {
    let due = performance.now();
    while (ending.exitCode === undefined) {
      const { seqno, transactionCount } = await producer.step({
        time: timeAfter(producer),
        ...(rate !== undefined && { rate }),
      });
      status.show(`masterchain block ${seqno}, ${transactionCount} transactions`);
      // A machine that is too slow makes blocks one after the other, and does not owe it those that it missed.
      due = Math.max(due + pause, performance.now());
      await sleep(Math.max(0, due - performance.now()), undefined, { signal: ending.signal }).catch(() => {});
    }
  } finally {
    status.clear();
    await producer.close();
    ending.release();
  }
  console.log(`ended at masterchain block ${producer.head.seqno}`);
  return 0;
}

/** The interval that the chain was made with. */
async function chainInterval(directory: string): Promise<number> {
  const tables = openTables(chainFileOf(directory), "read");
  try {
    return readOptions(storedGenesis(tables).options).blockInterval;
  } finally {
    await tables.root.close();
  }
}

/** The clock's time, but above the newest block's: a chain that was advanced may be ahead of the clock. */
function timeAfter({ head }: Producer): number {
  return Math.max(Math.floor(Date.now() / 1000), head.time + 1);
}
