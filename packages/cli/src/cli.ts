#!/usr/bin/env node
import { runProgram } from "@chain-query/command-line";
import { parseArguments } from "./program.ts";
import { run } from "./run.ts";

await runProgram("chain-query", parseArguments, async (command) => {
  const interrupt = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupt.abort());
  return run(command, process, interrupt.signal);
});
