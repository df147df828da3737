#!/usr/bin/env node
import { runProgram } from "@chain-query/command-line";
import { type KeysCommand, parseArguments, type ServeCommand } from "./command/arguments.ts";
import { runKeys } from "./command/keys.ts";

const expectedErrors = ["StartError", "ChainStoreError", "KeyStoreError"];

await runProgram("chain-query-server", parseArguments, run, { expectedErrors, exitsWithReader: true });

async function run(command: ServeCommand | KeysCommand): Promise<number> {
  if (command.command !== "serve") {
    process.stdout.write(await runKeys(command));
    return 0;
  }
  // Only this command needs the service, which takes a second to load.
  const { serve } = await import("./processes/serve.ts");
  const stop = firstSignal();
  const service = await serve(command.options, progress());
  console.log(service.url);
  await stop;
  await service.close();
  process.exit(0);
}

/** Resolves at the first SIGINT or SIGTERM. The second one ends the process at once. */
function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const handler = (): void => {
      if (isStopping) process.exit(130);
      isStopping = true;
      resolve();
    };
    process.on("SIGINT", handler);
    process.on("SIGTERM", handler);
  });
}

/** Shows the progress of a new chain on one line of a terminal. */
function progress(): ((step: number, of: number) => void) | undefined {
  if (!process.stderr.isTTY) return undefined;
  return (step, of) => process.stderr.write(`\rmaking a chain: block ${step} of ${of}${step === of ? "\n" : ""}`);
}
