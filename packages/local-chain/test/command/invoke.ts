import { CommandLineError } from "@chain-query/command-line";
import { parseArguments } from "../../src/command/arguments.ts";
import { expectedErrors, run } from "../../src/command/run.ts";

/** What a command printed, and its exit code. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  /** The message of an expected error. */
  readonly error: string;
}

/** Runs the command in this process. */
export async function invoke(...args: readonly string[]): Promise<Outcome> {
  let stdout = "";
  const write = (text: string | Uint8Array): boolean => {
    stdout += String(text);
    return true;
  };
  const command = parseArguments(args);
  if (command.command === "print") return { code: 0, stdout: command.text, error: "" };
  try {
    const code = await run(command, { stdout: { write }, stderr: { isTTY: false, columns: 80, write } });
    return { code, stdout, error: "" };
  } catch (error) {
    if (!(error instanceof Error && [CommandLineError.name, ...expectedErrors].includes(error.name))) throw error;
    return { code: 2, stdout, error: error.message };
  }
}
