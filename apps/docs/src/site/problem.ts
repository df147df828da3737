/** Problems in the sources of the site. The build reports all of them at once. */

export interface Problem {
  /** Path below this package. */
  file: string;
  /** Counted from 1. */
  line: number;
  message: string;
}

/** Its message has a line for each problem. */
export class ProblemsError extends Error {
  override name = "ProblemsError";

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ file, line, message }) => `${file}:${line}: ${message}`).join("\n"));
  }
}

/** Throws a {@link ProblemsError} if there are any. */
export function throwProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new ProblemsError(problems);
}
