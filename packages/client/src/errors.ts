/** The errors of calls: one class hierarchy, distinguished by `instanceof` or `code`. */
import type { FailureReason } from "@chain-query/types";

/**
 * Every error that a call fails with. A `switch` on `code` narrows to the class; it is exhaustive if it has a case for each code.
 *
 * @example
 * ```ts
 * const response = await chain.getConsensusBlock().safe();
 * if (!response.ok && response.error.code === "RATE_LIMIT") setTimeout(retry, response.error.retryAfterMs ?? 1_000);
 * ```
 */
export type CallError =
  | InvalidArgumentError
  | UnreachableError
  | TimeoutError
  | AbortedError
  | ParseError
  | ResponseValidationError
  | OtherApiError
  | BadRequestError
  | AuthenticationError
  | NotFoundError
  | RateLimitError
  | ServerError;

/**
 * The code of each error.
 *
 * @example
 * ```ts
 * const temporary: ErrorCode[] = ["CONNECTION", "TIMEOUT", "RATE_LIMIT", "SERVER"];
 * ```
 */
export type ErrorCode = CallError["code"];

/**
 * A connection error that is not a TimeoutError, as `code` narrows to it.
 *
 * @example
 * ```ts
 * const report = (error: UnreachableError) => console.warn(error.message, error.cause); // error.code === "CONNECTION"
 * ```
 */
export type UnreachableError = ConnectionError & { readonly code: "CONNECTION" };

/**
 * An error of the service whose status has no class of its own, as `code` narrows to it.
 *
 * @example
 * ```ts
 * const report = (error: OtherApiError) => console.warn(error.status, error.message); // error.code === "API"
 * ```
 */
export type OtherApiError = ApiError & { readonly code: "API" };

/** The type that `instanceof` narrows to: for the base class, one of its subclasses. */
type InstanceOf<Class extends typeof ChainQueryError> = typeof ChainQueryError extends Class ? CallError : InstanceType<Class>;

/** Holds the class of an error, also of another copy of this package. */
const brand: unique symbol = Symbol.for("chain-query.error");

/**
 * The call that failed.
 *
 * @example
 * ```ts
 * const where = ({ operation, attempts }: CallInfo) => `${operation} after ${attempts} requests`;
 * ```
 */
export interface CallInfo {
  /** The operation, such as `lookupBlock`; for `client.raw` its path. */
  readonly operation: string;
  /** How many requests were sent. */
  readonly attempts: number;
}

/**
 * The base class. `instanceof` also works across two installed copies of this package.
 *
 * @example
 * ```ts
 * if (error instanceof ChainQueryError) console.log(error.code, error.operation, error.attempts);
 * ```
 */
export class ChainQueryError extends Error implements CallInfo {
  /** The code of this class. */
  static readonly code: string = "CHAIN_QUERY";
  /** Stable code of the failure, such as `RATE_LIMIT` for a RateLimitError. */
  declare readonly code: ErrorCode;
  /** The operation that failed, such as `lookupBlock`; for `client.raw` its path. */
  declare readonly operation: string;
  /** How many requests were sent. */
  declare readonly attempts: number;

  /** Internal. All details except `cause` become members. */
  constructor(
    message: string,
    { operation, attempts }: CallInfo,
    { cause, ...details }: ErrorOptions & Record<string, unknown> = {},
  ) {
    super(`${operation}: ${message}`, cause === undefined ? {} : { cause });
    const { code } = new.target;
    // Minifiers rename classes but not codes, so the name is made from the code: NOT_FOUND is NotFoundError.
    const name = `_${code}_error`.toLowerCase().replace(/_./g, (start) => start.slice(1).toUpperCase());
    Object.defineProperties(this, { [brand]: { value: new.target }, name: { value: name } });
    const docs = `https://chain-query.github.io/chain-query/errors/#${code}`;
    Object.assign(this, { code, operation, attempts, docs }, details);
  }

  static override [Symbol.hasInstance]<Class extends typeof ChainQueryError>(
    this: Class,
    value: unknown,
  ): value is InstanceOf<Class> {
    for (let each = Object(value)[brand]; each; each = Object.getPrototypeOf(each)) {
      // A class derived by a user has no code of its own.
      if (each === this || (Object.hasOwn(this, "code") && each.code === this.code)) return true;
    }
    return false;
  }

  /** URL of the page that explains the code and its remedy. */
  declare readonly docs: string;

  /** The members for a log, without headers and body. */
  toJSON(): object {
    return { ...this, name: this.name, message: this.message, headers: undefined, envelope: undefined };
  }
}

/** What the errors of a response have in common. */
abstract class ResponseError extends ChainQueryError {
  /** Method and URL of the request, without its query and the key. */
  declare readonly request: string;
  /** HTTP status of the response; 0 for a redirect in a browser, which hides it. */
  declare readonly status: number;
  /**
   * The header `x-request-id` of the response, which names the request in the log of the service or of a gateway before it; undefined
   * if absent.
   */
  declare readonly requestId: string | undefined;
  /** How long the service asks to wait, in milliseconds, if it does. */
  declare readonly retryAfterMs: number | undefined;
}

/**
 * An argument is wrong. Thrown before any request; the message names the argument, the accepted values and the passed value. Browser
 * builds for production name the argument only.
 *
 * @example
 * ```ts
 * await chain.lookupBlock({ workchain: -1, shard, seqno: 1.5 }); // lookupBlock: seqno must be an integer from 1 to 4294967295, got 1.5
 * ```
 */
export class InvalidArgumentError extends ChainQueryError {
  static override readonly code: string = "INVALID_ARGUMENT";
  declare readonly code: "INVALID_ARGUMENT";
}

/**
 * No complete response: refused, reset, or cut off. The message names the host; `cause` is the error of `fetch`. TimeoutError is a
 * subclass.
 *
 * @example
 * ```ts
 * if (error instanceof ConnectionError) console.warn(error.message, error.cause);
 * ```
 */
export class ConnectionError extends ChainQueryError {
  static override readonly code: string = "CONNECTION";
  declare readonly code: "CONNECTION" | "TIMEOUT";
}

/**
 * No complete response in time: `timeoutMs` for an attempt, or `deadlineMs` for the call.
 *
 * @example
 * ```ts
 * if (error instanceof TimeoutError) console.warn(error.message); // lookupBlock: no complete response from https://node.example within 30000 ms
 * ```
 */
export class TimeoutError extends ConnectionError {
  static override readonly code: string = "TIMEOUT";
  declare readonly code: "TIMEOUT";
}

/**
 * The caller's signal aborted the call; `cause` is its reason.
 *
 * @example
 * ```ts
 * if (error instanceof AbortedError) console.info("aborted:", error.cause);
 * ```
 */
export class AbortedError extends ChainQueryError {
  static override readonly code: string = "ABORTED";
  declare readonly code: "ABORTED";
}

/**
 * A response with a status of success that is not an envelope, such as an HTML page, or a redirect, or a 404 that is not a failure of the
 * contract, or that says that there is no such path: there is no such API at `baseUrl`. Any other status of failure gives an `ApiError`, with any body.
 *
 * Redirects are never followed, with or without a key: the message names the place, without its query, and the `baseUrl` to use,
 * except in browser builds for production. Browsers hide that place and the status, so there `status` is 0 and the message cannot name it.
 *
 * @example
 * ```ts
 * if (error instanceof ParseError) console.warn(error.status, error.message); // HTTP 200: <html>…
 * ```
 */
export class ParseError extends ResponseError {
  static override readonly code: string = "PARSE";
  declare readonly code: "PARSE";
}

/**
 * The response breaks the contract. Thrown only with the option `validate`.
 *
 * @example
 * ```ts
 * if (error instanceof ResponseValidationError) console.warn(error.issues); // ['result.last.seqno: expected integer, got "5"']
 * ```
 */
export class ResponseValidationError extends ChainQueryError {
  static override readonly code: string = "RESPONSE_VALIDATION";
  declare readonly code: "RESPONSE_VALIDATION";
  /** The problems, each with its path. */
  declare readonly issues: readonly string[];
}

/**
 * The service, or a proxy before it, answered with a failure, by its status or by `ok: false`. The message is the `error` of the
 * envelope, or the start of the body in its place.
 *
 * @example
 * ```ts
 * if (error instanceof ApiError && error.reason === "history_pruned") retryWith({ archival: true });
 * ```
 */
export class ApiError extends ResponseError {
  static override readonly code: string = "API";
  declare readonly code: "API" | "BAD_REQUEST" | "AUTHENTICATION" | "NOT_FOUND" | "RATE_LIMIT" | "SERVER";
  /** Headers of the response. */
  declare readonly headers: Headers;
  /** Why the request failed, for programs; undefined if the deployment does not send it. */
  declare readonly reason: FailureReason | undefined;
  /** The input that is wrong, as on the wire; undefined if the failure is about none, or the deployment does not send it. */
  declare readonly input: string | undefined;
  /** The `error` member, unchecked: a text for people, which may change. */
  declare readonly error: unknown;
  /** The whole body, unchecked; undefined if it is not JSON. */
  declare readonly envelope: unknown;
  /** The `@extra` of the response, if present. */
  declare readonly extra: string | undefined;
}

/**
 * 400 or 422: the service rejects the input.
 *
 * @example
 * ```ts
 * if (error instanceof BadRequestError) console.warn(error.status, error.message); // 422, and the message of the service
 * ```
 */
export class BadRequestError extends ApiError {
  static override readonly code: string = "BAD_REQUEST";
  declare readonly code: "BAD_REQUEST";
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
  declare readonly code: "AUTHENTICATION";
}

/**
 * 404: no such block or transaction, or not yet.
 *
 * @example
 * ```ts
 * const found = await chain.lookupBlock({ workchain: -1, shard, seqno }).safe();
 * if (!found.ok && found.error instanceof NotFoundError && found.error.reason === "block_pending") console.info("not yet");
 * ```
 */
export class NotFoundError extends ApiError {
  static override readonly code: string = "NOT_FOUND";
  declare readonly code: "NOT_FOUND";
}

/**
 * 429: too many requests; `retryAfterMs` is the wait that the service asks for, if it does.
 *
 * @example
 * ```ts
 * if (error instanceof RateLimitError) setTimeout(retry, error.retryAfterMs ?? 1_000);
 * ```
 */
export class RateLimitError extends ApiError {
  static override readonly code: string = "RATE_LIMIT";
  declare readonly code: "RATE_LIMIT";
}

/**
 * 500 and above: the node could not respond.
 *
 * @example
 * ```ts
 * if (error instanceof ServerError) await chain.getTransactionsStd({ address, archival: true }); // may reach older history
 * ```
 */
export class ServerError extends ApiError {
  static override readonly code: string = "SERVER";
  declare readonly code: "SERVER";
}

const byStatus: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: AuthenticationError,
  404: NotFoundError,
  422: BadRequestError,
  429: RateLimitError,
};

/** The class for a failure, by its status, or by the `code` of the envelope if `ok: false` came with a status of success. */
export function failureClass(status: number, code: unknown): typeof ApiError {
  const effective = status < 400 && typeof code === "number" ? code : status;
  return byStatus[effective] ?? (effective >= 500 ? ServerError : ApiError);
}
