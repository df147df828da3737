/** What is wrong with the way a command was called, a line for each mistake. */
export class OptionError extends Error {
  override readonly name = "OptionError";
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(mistakes.join("\n"));
    this.mistakes = mistakes;
  }
}
