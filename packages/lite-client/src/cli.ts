#!/usr/bin/env node
import { runProgram } from "@chain-query/command-line";
import { parseArguments } from "./command/arguments.ts";
import { inspectNetwork } from "./command/inspect-network.ts";

await runProgram("chain-query-lite-client", parseArguments, (command) => inspectNetwork(command, process), {
  expectedErrors: ["ConfigError"],
});
