/** Everything that a call can fail with, apart from what `fetch` itself throws. */
export class ChainQueryError extends Error {
  override readonly name: string = "ChainQueryError";
  /** The operation that was called, such as `lookupBlock`. */
  readonly operation: string;

  constructor(operation: string, message: string, options?: ErrorOptions) {
    super(`${operation}: ${message}`, options);
    this.operation = operation;
  }
}

/**
 * The service answered, and said that it failed.
 *
 * @example
 * ```ts
 * try {
 *   await chain.lookupBlock({ workchain: -1, shard: "-9223372036854775808", seqno: 4_000_000_000 });
 * } catch (error) {
 *   if (error instanceof ApiError && error.status === 404) console.log("no such block yet");
 * }
 * ```
 */
export class ApiError extends ChainQueryError {
  override readonly name: string = "ApiError";
  /** HTTP status of the answer. */
  readonly status: number;
  /** The whole body as it came; nothing in it is certain. */
  readonly envelope: unknown;

  constructor(operation: string, status: number, envelope: unknown) {
    super(operation, messageOf(envelope) ?? `HTTP status ${status}`);
    this.status = status;
    this.envelope = envelope;
  }
}

/** The answer is not an envelope: not JSON, or neither a success nor a failure. */
export class ParseError extends ChainQueryError {
  override readonly name: string = "ParseError";
  /** HTTP status of the answer. */
  readonly status: number;

  constructor(operation: string, status: number, message: string, options?: ErrorOptions) {
    super(operation, `${message} (HTTP status ${status})`, options);
    this.status = status;
  }
}

/** Some deployments put the text into `result`, so that is read too. */
function messageOf(envelope: unknown): string | undefined {
  if (typeof envelope !== "object" || envelope === null) return undefined;
  if ("error" in envelope && typeof envelope.error === "string") return envelope.error;
  if ("result" in envelope && typeof envelope.result === "string") return envelope.result;
  return undefined;
}
