#!/usr/bin/env node
import { runProgram } from "@chain-query/command-line";
import { parseArguments } from "./command/arguments.ts";
import { run } from "./command/run.ts";

await runProgram("chain-query-indexer", parseArguments, (command) => run(command, process));
