#!/usr/bin/env node
import { once } from "node:events";
import { runProgram } from "@chain-query/command-line";
import { type KeysCommand, type LiteCommand, parseArguments, type ServeCommand } from "./command/arguments.ts";
import { liteServersOf } from "./serve-options.ts";

await runProgram("chain-query-server", parseArguments, run, { isService: true });

async function run(command: ServeCommand | LiteCommand | KeysCommand): Promise<number> {
  if (command.command === "lite") return (await import("./command/lite.ts")).serveLite(command, process);
  if (command.command !== "serve") {
    const { runKeys } = await import("./command/keys.ts");
    process.stdout.write(await runKeys(command));
    return 0;
  }
  const stop = firstSignal();
  try {
    // The service takes a second to load.
    const starting = import("./processes/serve.ts").then(({ serve }) => serve(command.options, stop));
    // Also during the start. For other sources, SIGHUP ends the service.
    const reload = (): void => void starting.then((service) => service.reload()).catch(() => {});
    if (liteServersOf(command.options.source) !== undefined) process.on("SIGHUP", reload);
    const service = await starting;
    console.log(service.url);
    if (!stop.aborted) await once(stop, "abort");
    await service.close();
  } catch (error) {
    if (!stop.aborted || error !== stop.reason) throw error;
  }
  process.exit(0);
}

/** Aborts at the first SIGINT or SIGTERM. The second one ends the process at once. */
function firstSignal(): AbortSignal {
  const stop = new AbortController();
  const handler = (): void => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  };
  process.on("SIGINT", handler);
  process.on("SIGTERM", handler);
  return stop.signal;
}
