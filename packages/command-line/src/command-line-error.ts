/** Thrown if the command line, the environment or the config file is wrong: one line for each problem. */
export class CommandLineError extends Error {
  override readonly name = "CommandLineError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}
