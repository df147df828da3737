#!/usr/bin/env node
import { listenForInterrupt, runProgram } from "@chain-query/command-line";
import { parseArguments } from "./program.ts";
import { run } from "./run.ts";

await runProgram("chain-query", parseArguments, async (command) => {
  const interrupt = listenForInterrupt();
  const code = await run(command, process, interrupt.signal);
  interrupt.release();
  return interrupt.exitCode ?? code;
});
