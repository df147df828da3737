#!/usr/bin/env node
import { runProgram } from "@chain-query/command-line";
import { parseArguments } from "./command/arguments.ts";

await runProgram("chain-query-lite", parseArguments, async (command) =>
  (await import("./command/inspect-network.ts")).inspectNetwork(command, process),
);
