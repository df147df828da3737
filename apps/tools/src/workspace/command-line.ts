/** The command lines of this package. */
import { type Command, parseCommandLine, type Runnable, runProgram } from "@chain-query/command-line";

interface Program<Commands> {
  readonly name: string;
  readonly manifest: URL;
  readonly commands: Commands;
  readonly notes: string;
}

/** Parses the arguments of this process and runs the command that they name. */
export async function runCommand<const Commands extends Readonly<Record<string, Command>>>(
  name: string,
  commands: Commands,
  run: (command: Runnable<Program<Commands>>) => Promise<number>,
  notes = "",
): Promise<void> {
  const program = { name, manifest: new URL("../../package.json", import.meta.url), commands, notes };
  await runProgram(
    name,
    // pnpm passes on the `--` of `pnpm start -- --once`.
    (args, environment) => parseCommandLine<Program<Commands>>(program, args[0] === "--" ? args.slice(1) : args, environment),
    run,
  );
}
