#!/usr/bin/env node
import { listenForInterrupt, runProgram } from "@chain-query/command-line";
import { parseArguments } from "./program.ts";
import { run } from "./run.ts";

await runProgram("chain-query", parseArguments, async (command) => {
  const interrupt = listenForInterrupt();
  // A watch ends with the reader of its output, such as `head`, or when its output cannot be written.
  const unread = new AbortController();
  process.stdout.once("error", () => unread.abort());
  const code = await run(command, process, AbortSignal.any([interrupt.signal, unread.signal]));
  interrupt.release();
  return interrupt.exitCode ?? code;
});
