/** Everything that a call can fail with. One tree, told apart by `instanceof` or by `code`. */

const brand: unique symbol = Symbol.for("@chain-query/client.error");

/** Where a call stood when it failed. */
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
  /** Name of the class, which a minifier leaves alone. */
  static readonly kind: string = "ChainQueryError";
  /** Stable name of the failure, such as `RATE_LIMIT`. */
  readonly code: string;
  readonly operation: string;
  readonly attempts: number;

  constructor(code: string, message: string, point: CallPoint, cause?: unknown) {
    super(`${point.operation}: ${message}`, cause === undefined ? undefined : { cause });
    const kinds: string[] = [];
    for (let each: unknown = new.target; typeof each === "function" && "kind" in each; each = Object.getPrototypeOf(each)) {
      if (Object.hasOwn(each, "kind")) kinds.push(String(each.kind));
    }
    Object.defineProperty(this, brand, { value: kinds });
    Object.defineProperty(this, "name", { value: new.target.kind });
    this.code = code;
    this.operation = point.operation;
    this.attempts = point.attempts;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    const { kind, prototype } = this;
    // A class that a user derives has no kind of its own and is told by its prototype, as ever.
    if (!Object.hasOwn(this, "kind")) return Object.prototype.isPrototypeOf.call(prototype, Object(value));
    return (Object(value) as { [brand]?: string[] })[brand]?.includes(kind) === true;
  }

  /** What a log needs. Neither headers nor the body are part of it. */
  toJSON(): object {
    const { headers, envelope, ...rest } = this as this & Partial<ApiFailure>;
    return { name: this.name, message: this.message, ...rest };
  }
}

/** An input is wrong. Thrown before any request; the message names the member and what is accepted. */
export class InvalidArgumentError extends ChainQueryError {
  static override readonly kind: string = "InvalidArgumentError";
  constructor(message: string, operation = "createClient") {
    super("INVALID_ARGUMENT", message, { operation, attempts: 0 });
  }
}

/** No whole answer came: refused, reset, or cut off. */
export class ConnectionError extends ChainQueryError {
  static override readonly kind: string = "ConnectionError";
  constructor(message: string, point: CallPoint, cause?: unknown, code = "CONNECTION") {
    super(code, message, point, cause);
  }
}

/** No whole answer came in time: `timeoutMs` for an attempt, or `deadlineMs` for the call. */
export class TimeoutError extends ConnectionError {
  static override readonly kind: string = "TimeoutError";
  constructor(message: string, point: CallPoint) {
    super(message, point, undefined, "TIMEOUT");
  }
}

/** The caller's signal ended the call; `cause` is its reason. */
export class AbortedError extends ChainQueryError {
  static override readonly kind: string = "AbortedError";
  constructor(point: CallPoint, cause: unknown) {
    super("ABORTED", "aborted by the caller", point, cause);
  }
}

/** What came is no envelope: not JSON, such as a proxy's page of HTML, or JSON of another shape. */
export class ParseError extends ChainQueryError {
  static override readonly kind: string = "ParseError";
  /** HTTP status of the answer. */
  readonly status: number;
  constructor(message: string, point: CallPoint, status: number) {
    super("PARSE", `${message} (HTTP ${status})`, point);
    this.status = status;
  }
}

/** The answer breaks the contract. Only where `validate` is given. */
export class ResponseValidationError extends ChainQueryError {
  static override readonly kind: string = "ResponseValidationError";
  /** What is wrong, each with its place. */
  readonly issues: readonly string[];
  constructor(issues: readonly string[], point: CallPoint) {
    super("RESPONSE_VALIDATION", `the answer breaks the contract: ${issues[0]}`, point);
    this.issues = issues;
  }
}

/** What an answer said of its failure. */
export interface ApiFailure {
  readonly status: number;
  readonly headers: Headers;
  /** The `error` member as it came. */
  readonly error: unknown;
  /** The whole body as it came; nothing in it is certain. */
  readonly envelope: unknown;
  readonly extra: string | undefined;
  /** How long the service asks to wait, in milliseconds, where it says. */
  readonly retryAfterMs: number | undefined;
}

/**
 * The service answered that it failed, by its status or by `ok: false`.
 *
 * @example
 * ```ts
 * if (error instanceof ApiError && error.status === 500) retryWith({ archival: true });
 * ```
 */
export class ApiError extends ChainQueryError implements ApiFailure {
  static override readonly kind: string = "ApiError";
  declare readonly status: number;
  declare readonly headers: Headers;
  declare readonly error: unknown;
  declare readonly envelope: unknown;
  declare readonly extra: string | undefined;
  declare readonly retryAfterMs: number | undefined;
  constructor(message: string, point: CallPoint, failure: ApiFailure, code = "API") {
    super(code, message, point);
    Object.assign(this, failure);
  }
}

/** 400 or 422: the service refuses the input. */
export class BadRequestError extends ApiError {
  static override readonly kind: string = "BadRequestError";
}

/** 401 or 403: the key is unknown, or not allowed here. */
export class AuthenticationError extends ApiError {
  static override readonly kind: string = "AuthenticationError";
}

/** 404: no such block or transaction, or not yet. */
export class NotFoundError extends ApiError {
  static override readonly kind: string = "NotFoundError";
}

/** 429: too many requests; `retryAfterMs` says how long to wait, where the service does. */
export class RateLimitError extends ApiError {
  static override readonly kind: string = "RateLimitError";
}

/** 500 and above: the node could not answer. */
export class ServerError extends ApiError {
  static override readonly kind: string = "ServerError";
}

const byStatus: Record<number, [typeof ApiError, string]> = {
  400: [BadRequestError, "BAD_REQUEST"],
  401: [AuthenticationError, "AUTHENTICATION"],
  403: [AuthenticationError, "AUTHENTICATION"],
  404: [NotFoundError, "NOT_FOUND"],
  422: [BadRequestError, "BAD_REQUEST"],
  429: [RateLimitError, "RATE_LIMIT"],
};

/** The error for a failure, by its status, or by its `code` where `ok: false` came with status 200. */
export function apiError(message: string, point: CallPoint, failure: ApiFailure): ApiError {
  const { envelope, status } = failure;
  const told = typeof envelope === "object" && envelope !== null && "code" in envelope ? Number(envelope.code) : 0;
  const meant = status < 400 && told >= 400 ? told : status;
  const [Failed, code] = byStatus[meant] ?? (meant >= 500 ? ([ServerError, "SERVER"] as const) : ([ApiError, "API"] as const));
  return new Failed(message, point, failure, code);
}
