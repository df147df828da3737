/** Everything that a call can fail with. One tree, told apart by `instanceof` or by `code`. */

const brand: unique symbol = Symbol.for("@chain-query/client.error");

/**
 * Where a call stood when it failed.
 *
 * @example
 * ```ts
 * const where = ({ operation, attempts }: CallPoint) => `${operation} after ${attempts} requests`;
 * ```
 */
export interface CallPoint {
  /** The operation, such as `lookupBlock`; for `client.raw` its path. */
  readonly operation: string;
  /** How many requests were sent. */
  readonly attempts: number;
}

/**
 * The root of the tree. `instanceof` holds across copies of this package too, as where two versions of it are installed.
 *
 * @example
 * ```ts
 * if (error instanceof ChainQueryError) console.log(error.code, error.operation, error.attempts);
 * ```
 */
export class ChainQueryError extends Error implements CallPoint {
  /** The code of the class's own failures. */
  static readonly code: string = "CHAIN_QUERY";
  /** Stable name of the failure, such as `RATE_LIMIT` for a RateLimitError. */
  declare readonly code: string;
  declare readonly operation: string;
  declare readonly attempts: number;

  /** For the client itself: `details` become members, but for `cause`. */
  constructor(
    message: string,
    { operation, attempts }: CallPoint,
    { cause, ...details }: ErrorOptions & Record<string, unknown> = {},
  ) {
    super(`${operation}: ${message}`, cause === undefined ? {} : { cause });
    const { code } = new.target;
    const codes: unknown[] = [];
    for (let each = new.target; each.code; each = Object.getPrototypeOf(each)) codes.push(each.code);
    // A minifier renames classes, never their codes: NOT_FOUND is NotFoundError.
    const name = `_${code}_ERROR`.replace(/_(.)([A-Z]*)/g, (_, first: string, rest: string) => first + rest.toLowerCase());
    Object.defineProperties(this, { [brand]: { value: codes }, name: { value: name } });
    Object.assign(this, { code, operation, attempts }, details);
  }

  static override [Symbol.hasInstance](this: typeof ChainQueryError, value: unknown): boolean {
    const { code, prototype } = this;
    // A class that a user derives has no code of its own and is told by its prototype, as ever.
    if (!Object.hasOwn(this, "code")) return Object.prototype.isPrototypeOf.call(prototype, Object(value));
    return !!(Object(value) as { [brand]?: string[] })[brand]?.includes(code);
  }

  /** What a log needs. Headers and the answer's body are left out. */
  toJSON(): object {
    return { ...this, name: this.name, message: this.message, headers: undefined, envelope: undefined };
  }
}

/**
 * An input is wrong. Thrown before any request; the message names the member and what is accepted.
 *
 * @example
 * ```ts
 * await chain.lookupBlock({ workchain: -1, shard, seqno: 1.5 }); // lookupBlock: seqno: an integer is accepted, not 1.5
 * ```
 */
export class InvalidArgumentError extends ChainQueryError {
  static override readonly code: string = "INVALID_ARGUMENT";
}

/**
 * No whole answer came: refused, reset, or cut off. `cause` is what `fetch` threw. A TimeoutError is one too.
 *
 * @example
 * ```ts
 * if (error instanceof ConnectionError) console.warn(error.message, error.cause);
 * ```
 */
export class ConnectionError extends ChainQueryError {
  static override readonly code: string = "CONNECTION";
}

/**
 * No whole answer came in time: `timeoutMs` for an attempt, or `deadlineMs` for the call.
 *
 * @example
 * ```ts
 * if (error instanceof TimeoutError) console.warn(error.message); // lookupBlock: no whole answer within 30000 ms
 * ```
 */
export class TimeoutError extends ConnectionError {
  static override readonly code: string = "TIMEOUT";
}

/**
 * The caller's signal ended the call; `cause` is its reason.
 *
 * @example
 * ```ts
 * if (error instanceof AbortedError) console.info("ended by us:", error.cause);
 * ```
 */
export class AbortedError extends ChainQueryError {
  static override readonly code: string = "ABORTED";
}

/**
 * What came is no envelope: not JSON, such as a proxy's page of HTML, or JSON of another shape; or it is a redirect.
 *
 * @example
 * ```ts
 * if (error instanceof ParseError) console.warn(error.status, error.message); // the message shows how the answer starts
 * ```
 */
export class ParseError extends ChainQueryError {
  static override readonly code: string = "PARSE";
  /** HTTP status of the answer; 0 for a redirect in a browser, which hides it. */
  declare readonly status: number;
  /** How long the service asks to wait, in milliseconds, where it says. */
  declare readonly retryAfterMs: number | undefined;
}

/**
 * The answer breaks the contract. Only where `validate` is given.
 *
 * @example
 * ```ts
 * if (error instanceof ResponseValidationError) console.warn(error.issues); // ['result.last.seqno: expected integer, got "5"']
 * ```
 */
export class ResponseValidationError extends ChainQueryError {
  static override readonly code: string = "RESPONSE_VALIDATION";
  /** What is wrong, each with its place. */
  declare readonly issues: readonly string[];
}

/**
 * The service answered that it failed, by its status or by `ok: false`.
 *
 * @example
 * ```ts
 * if (error instanceof ApiError && error.status === 500) retryWith({ archival: true });
 * ```
 */
export class ApiError extends ChainQueryError {
  static override readonly code: string = "API";
  /** HTTP status of the answer. */
  declare readonly status: number;
  /** Headers of the answer. */
  declare readonly headers: Headers;
  /** The `error` member as it came. */
  declare readonly error: unknown;
  /** The whole body as it came; nothing in it is certain. */
  declare readonly envelope: unknown;
  /** The `@extra` of the answer, where it has one. */
  declare readonly extra: string | undefined;
  /** How long the service asks to wait, in milliseconds, where it says. */
  declare readonly retryAfterMs: number | undefined;
}

/**
 * 400 or 422: the service refuses the input.
 *
 * @example
 * ```ts
 * if (error instanceof BadRequestError) console.warn(error.status, error.message); // 422, and what the service says
 * ```
 */
export class BadRequestError extends ApiError {
  static override readonly code: string = "BAD_REQUEST";
}

/**
 * 401 or 403: the key is unknown, or not allowed here.
 *
 * @example
 * ```ts
 * if (error instanceof AuthenticationError) console.error("check the key of", error.operation);
 * ```
 */
export class AuthenticationError extends ApiError {
  static override readonly code: string = "AUTHENTICATION";
}

/**
 * 404: no such block or transaction, or not yet.
 *
 * @example
 * ```ts
 * const found = await chain.lookupBlock({ workchain: -1, shard, seqno }).safe();
 * if (!found.ok && found.error instanceof NotFoundError) console.info("not yet");
 * ```
 */
export class NotFoundError extends ApiError {
  static override readonly code: string = "NOT_FOUND";
}

/**
 * 429: too many requests; `retryAfterMs` says how long to wait in milliseconds, where the service does.
 *
 * @example
 * ```ts
 * if (error instanceof RateLimitError) setTimeout(tryAgain, error.retryAfterMs ?? 1_000);
 * ```
 */
export class RateLimitError extends ApiError {
  static override readonly code: string = "RATE_LIMIT";
}

/**
 * 500 and above: the node could not answer.
 *
 * @example
 * ```ts
 * if (error instanceof ServerError) await chain.getTransactionsStd({ address, archival: true }); // may reach older history
 * ```
 */
export class ServerError extends ApiError {
  static override readonly code: string = "SERVER";
}

const byStatus: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: AuthenticationError,
  404: NotFoundError,
  422: BadRequestError,
  429: RateLimitError,
};

/** The class for a failure, by its status, or by the `code` of its envelope where `ok: false` came with a success's status. */
export function failureClass(status: number, code: unknown): typeof ApiError {
  const meant = status < 400 && typeof code === "number" ? code : status;
  return byStatus[meant] ?? (meant >= 500 ? ServerError : ApiError);
}
