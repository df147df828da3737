#!/usr/bin/env node
import { runProgram } from "@chain-query/command-line";
import { parseArguments, type ServeCommand } from "./command/arguments.ts";

async function serve({ options, output }: ServeCommand): Promise<number> {
  const [{ startMock }, { loggers, startMessages }] = await Promise.all([import("./mock.ts"), import("./command/output.ts")]);
  const mock = await startMock({ ...options, ...loggers[output] });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => mock.close());
  console.log(startMessages[output](mock.url));
  return 0;
}

await runProgram("chain-query-mock", parseArguments, serve, { isService: true });
