/** What the commands of the workbench share. They run before the workspace is built, so they use no package of it. */
import { fileURLToPath } from "node:url";
import { type ParseArgsConfig, parseArgs } from "node:util";

/** The root of the workspace. */
export const root: string = fileURLToPath(new URL("../../../../", import.meta.url));

/** Bad input: printed in one line without a stack, with exit code 2. */
export class UsageError extends Error {}

/** Runs a command and sets the exit code. */
export async function runCommand(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}

/** `parseArgs` of Node, with a UsageError for bad flags. */
export function parseFlags<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseArgs<Config>> {
  // `npm run script -- --flag` style: some script runners pass the `--` on.
  const args = (config.args ?? process.argv.slice(2)).filter((arg, index) => arg !== "--" || index > 0);
  try {
    return parseArgs({ ...config, args } as Config);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`${error.message.split(". ")[0]}; see --help`);
  }
}

/** Parses a port number; 0 takes a free port. */
export function parsePort(flag: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new UsageError(`${flag}: expected a port from 0 to 65535, got "${text}"`);
}
