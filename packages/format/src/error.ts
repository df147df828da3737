/**
 * The root of the errors of stores, clients and servers of a chain. Its members tell callers how to react; an error that does
 * not extend this class is a programming error.
 */
export abstract class OperationalError extends Error {
  /** Whether the same call may succeed later. */
  readonly isRetryable: boolean = false;
  /** Whether the user or operator can act on it: a program prints the message without a stack, and its exit code is 2. */
  readonly isUserError: boolean = false;
  /** The HTTP status of a request that fails with this error. The message may name hosts and folders, so it is not for callers. */
  readonly status: number = 500;
}

/** Characters of a text that are kept. */
const LONGEST = 200;

/**
 * A text that came from outside, for errors, logs and responses: at most 200 characters, without control characters and line breaks. A long
 * text loses its middle, since its reason is often at its end.
 */
export function shortText(text: string): string {
  const half = LONGEST / 2;
  const kept = text.length <= LONGEST ? text : `${text.slice(0, half - 1)}…${text.slice(-half)}`;
  return kept.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
}
