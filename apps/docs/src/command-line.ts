/** How the commands of this package end: what a person can mend is told in a line, and anything else keeps its stack. */
import { ProblemsError } from "./site/problem.ts";

/** Runs a command; 1 is for sources with mistakes in them, 2 for a command that makes no sense here. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    if (error instanceof ProblemsError) end(1, error.message);
    else if (isMisuse(error)) end(2, error.message.split("\n")[0]);
    else throw error;
  }
}

function end(exitCode: number, message: string | undefined): void {
  process.exitCode = exitCode;
  console.error(message);
}

/** What parseArgs refuses, and what our own commands do. */
function isMisuse(error: unknown): error is Error {
  return error instanceof RangeError || (error instanceof TypeError && "code" in error);
}

/** Reads the address at which a site is published. Throws a RangeError where it is none. */
export function parseSiteUrl(flag: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "") {
    return url.href.endsWith("/") ? url.href : `${url.href}/`;
  }
  throw new RangeError(`${flag} is ${text}; an http or https address without query and fragment is expected`);
}
