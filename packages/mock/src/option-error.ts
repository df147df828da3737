/** Thrown where a flag or an option makes no sense. The message is one line: which one, what it was, what is accepted. */
export class OptionError extends Error {
  override readonly name = "OptionError";
}
