/**
 * The command lines of Chain Query: one table says which options a command takes, and gives flags, environment variables, config
 * file, help and typed values. Progress on a terminal and Ctrl-C are alike in all of them.
 *
 * @module
 */
export { CommandLineError } from "./command-line-error.ts";
export { helpText } from "./help.ts";
export { type Interrupt, listenForInterrupt, type SignalTarget } from "./interrupt.ts";
export { parseCommandLine } from "./parse.ts";
export type {
  Command,
  Flag,
  Flags,
  Parsed,
  Printed,
  Program,
  Runnable,
  Values,
} from "./program.ts";
export { type ProgressBar, progressBar, type StatusLine, statusLine, type Terminal } from "./progress.ts";
export { type RunProcess, type RunSettings, runProgram } from "./run.ts";
export {
  duration,
  list,
  matching,
  number,
  oneOf,
  serverUrl,
  type TextSource,
  text,
  type ValueType,
  wholeNumber,
} from "./value-types.ts";
