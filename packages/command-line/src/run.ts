import { CommandLineError, type Printed } from "./program.ts";

/** Settings of {@link runProgram}. */
export interface RunSettings {
  /** Names of errors that the user can act on: each is printed as one line, with exit code 2. Other errors keep their stack. */
  readonly expectedErrors?: readonly string[];
  /** Ends the process when the reader of stdout goes away, as `head` does; otherwise the command finishes its work. */
  readonly exitsWithReader?: boolean;
  /** Arguments, environment and output, for tests. */
  readonly process?: RunProcess;
}

/** The part of the process that a program reads and writes. */
export interface RunProcess {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: {
    write(text: string): unknown;
    on(event: "error", listener: (error: NodeJS.ErrnoException) => void): unknown;
  };
  readonly stderr: { write(text: string): unknown };
  exitCode?: number | string | null | undefined;
  exit(code: number): unknown;
}

/**
 * Parses the command line of this process and runs the command. The exit code is what `run` returns, or 2 for a wrong command line
 * and expected errors. A text from `parse`, the help or the version, is printed instead.
 */
export async function runProgram<Command extends object>(
  name: string,
  parse: (args: readonly string[], environment: Readonly<Record<string, string | undefined>>) => Command | Printed,
  run: (command: Command) => Promise<number>,
  { expectedErrors = [], exitsWithReader = false, process: io = process }: RunSettings = {},
): Promise<void> {
  io.stdout.on("error", (error) => {
    if (error.code !== "EPIPE") throw error;
    if (exitsWithReader) io.exit(0);
  });
  try {
    const parsed = parse(io.argv.slice(2), io.env);
    if (isPrinted(parsed)) io.stdout.write(parsed.text);
    else io.exitCode = await run(parsed);
  } catch (error) {
    if (!(error instanceof Error && [CommandLineError.name, ...expectedErrors].includes(error.name))) throw error;
    for (const line of error.message.split("\n")) io.stderr.write(`${name}: ${escapeControls(line)}\n`);
    io.exitCode = 2;
  }
}

function isPrinted(parsed: object): parsed is Printed {
  return "command" in parsed && parsed.command === "print";
}

/** Escapes characters that a terminal would act on or reorder. */
function escapeControls(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
