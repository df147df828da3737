/** What the workbench's commands share: how bad input ends, and where the workspace is. */
import { fileURLToPath } from "node:url";
import { type ParseArgsConfig, parseArgs } from "node:util";

/** The folder of the workspace's root. */
export const root: string = fileURLToPath(new URL("../../../../", import.meta.url));

/** A mistake of the caller's: told in one line, without a stack, with exit code 2. */
export class UsageError extends Error {}

/** Runs a command to its end and turns what it throws into the exit code. */
export async function runCommand(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}

/** `parseArgs` of Node, whose complaints become usage errors that end with how to see what is accepted. */
export function parseFlags<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  // Script runners of older habits are called with `--` before the flags.
  const args = (config.args ?? process.argv.slice(2)).filter((arg, index) => arg !== "--" || index > 0);
  try {
    return parseArgs({ ...config, args } as Config);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`${error.message.split(". ")[0]}; see --help`);
  }
}

/** Reads a port number; 0 asks for a free one. */
export function parsePort(flag: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new UsageError(`${flag} ${text}: a port is a whole number from 0 to 65535, where 0 takes a free one`);
}
