/** Starts `pnpm start` without its build. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type CommandResult, resultOf } from "@chain-query/testing/processes";
import { showIfFailed } from "@chain-query/testing/until";

const program = fileURLToPath(new URL("../../src/start/command.ts", import.meta.url));
export const freePorts = ["--service-port=0", "--port=0", "--docs-port=0"] as const;

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<CommandResult>;
  /** The output when all three run. */
  readonly running: Promise<string>;
}

export function start(...args: string[]): Started {
  const child = spawn(process.execPath, [program, "--no-build", ...args]);
  const running = Promise.withResolvers<string>();
  let printed = "";
  showIfFailed(`start ${args.join(" ")}`, () => printed);
  const ended = resultOf(child, (output) => {
    printed = output;
    if (output.includes("Press Ctrl-C to stop all three.")) running.resolve(output);
  });
  ended.then(({ output }) => running.reject(new Error(`ended before all three ran:\n${output}`)), running.reject);
  running.promise.catch(() => {});
  return { child, ended, running: running.promise };
}
