#!/usr/bin/env node
import { runProgram } from "@chain-query/command-line";
import { parseArguments } from "./command/arguments.ts";
import { run } from "./command/run.ts";

const { stdout, stderr, env } = process;
// See https://no-color.org.
const colored = stdout.isTTY && !env["NO_COLOR"] && env["TERM"] !== "dumb";

await runProgram("chain-query-conformance", parseArguments, async (command) => {
  const interrupt = new AbortController();
  if (command.command === "service") {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupt.abort());
  }
  return run(command, { stdout, stderr, colored, signal: interrupt.signal });
});
