import type { Printed } from "./program.ts";
import { isUserError } from "./value-types.ts";

/** Settings of {@link runProgram}. */
export interface RunSettings {
  /**
   * A service ends if the reader of stdout ends, such as `head`, and continues if stdout cannot be written, such as on a full disk. Another
   * command finishes its work in both cases; in the second its exit code is 1.
   */
  readonly isService?: boolean;
  /** Arguments, environment and output, for tests. */
  readonly process?: RunProcess;
}

interface Output {
  write(text: string): unknown;
  on(event: "error", listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/** The part of the process that a program reads and writes. */
export interface RunProcess {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  exitCode?: number | string | null | undefined;
  exit(code: number): unknown;
}

/**
 * Parses the command line of this process and runs the command. The exit code is the result of `run`. An error whose `isUserError` is
 * true, such as a wrong command line, is printed without its stack. The exit code is then 2: the program would fail again. If its
 * `isRetryable` is true, too, such as that of an unavailable database, it is 75, EX_TEMPFAIL of sysexits.h. A text from `parse`, the help
 * or the version, is printed instead.
 */
export async function runProgram<Command extends object>(
  name: string,
  parse: (args: readonly string[], environment: Readonly<Record<string, string | undefined>>) => Command | Printed,
  run: (command: Command) => Promise<number>,
  { isService = false, process: io = process }: RunSettings = {},
): Promise<void> {
  let isIncomplete = false;
  io.stderr.on("error", () => {});
  io.stdout.on("error", (error) => {
    if (error.code === "EPIPE") {
      if (isService) io.exit(0);
    } else if (!isIncomplete) {
      isIncomplete = true;
      io.stderr.write(`${name}: stdout cannot be written: ${error.message}\n`);
      if (!isService) io.exitCode = 1;
    }
  });
  try {
    const parsed = parse(io.argv.slice(2), io.env);
    if (isPrinted(parsed)) io.stdout.write(parsed.text);
    else {
      const code = await run(parsed);
      io.exitCode = isIncomplete && code === 0 ? 1 : code;
    }
  } catch (error) {
    if (!isUserError(error)) throw error;
    for (const line of error.message.split("\n")) io.stderr.write(`${name}: ${escapeControls(line)}\n`);
    io.exitCode = "isRetryable" in error && error.isRetryable === true ? TEMPORARY : 2;
  }
}

/** EX_TEMPFAIL of sysexits.h. */
const TEMPORARY = 75;

function isPrinted(parsed: object): parsed is Printed {
  return "command" in parsed && parsed.command === "print";
}

/** Escapes characters that a terminal would act on or reorder. */
function escapeControls(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
