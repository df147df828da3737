/**
 * Command lines of the Chain Query packages: one table of options gives flags, environment variables, config file, help and typed
 * values. All commands share progress on a terminal and the handling of Ctrl-C.
 *
 * @module
 */
export { parseCommandLine } from "./parse.ts";
export {
  type Command,
  type Flag,
  type Flags,
  flagName,
  helpText,
  type Parsed,
  type Printed,
  type Program,
  type Runnable,
  type Values,
} from "./program.ts";
export { type RunProcess, type RunSettings, runProgram } from "./run.ts";
export { stateFolder } from "./state-folder.ts";
export {
  type Interrupt,
  listenForInterrupt,
  type ProgressBar,
  progressBar,
  type SignalTarget,
  type StatusLine,
  statusLine,
  type Terminal,
} from "./terminal.ts";
export {
  CommandLineError,
  duration,
  isUserError,
  list,
  listenAddress,
  matching,
  number,
  oneOf,
  serverKey,
  serverUrl,
  type TextSource,
  text,
  UserError,
  type ValueType,
  wholeNumber,
} from "./value-types.ts";
