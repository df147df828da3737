/** A reason to answer with a failure, in words for the caller. Its text goes out as it is, so it names nothing of the machine. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  /** The HTTP status, and the `code` of the failure. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/**
 * The contract's envelope of what did not succeed, as text.
 *
 * @param extra - The identifier of the request, left out where the request was not read so far.
 */
export function failureText(status: number, error: string, extra?: string): string {
  return JSON.stringify({ ok: false, error, code: status, ...(extra === undefined ? {} : { "@extra": extra }) });
}
