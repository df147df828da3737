/** What is wrong in a source of the site, and where, so that the build can name all of it at once. */

export interface Problem {
  /** Path of the file as a person in this package writes it. */
  file: string;
  /** Counted from 1. */
  line: number;
  says: string;
}

/** Ends a build; its message has a line for each problem. */
export class ProblemsError extends Error {
  override name = "ProblemsError";

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ file, line, says }) => `${file}:${line}: ${says}`).join("\n"));
  }
}

/** Fails where there are any. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new ProblemsError(problems);
}
