/** Expected failures: of a request, reported to the caller, and of the start, reported to the operator. */
import { OperationalError } from "@chain-query/format/error";
import { ChainReadError } from "@chain-query/format/store";
import type { CallEnvelope } from "@chain-query/openapi/json-rpc";
import { type FailureReason, reasonOf } from "@chain-query/openapi/requests";

/** Why a request is not answered, in words for the caller. The text is sent as it is, so it must not name anything of the machine. */
export class HttpError extends OperationalError {
  override readonly name: string = "HttpError";
  override readonly isRetryable: boolean;
  override readonly isUserError: boolean;
  /** Also the `code` of the failure. */
  override readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly reason: FailureReason;
  /** The member of the request that is wrong. */
  readonly input: string | undefined;

  /** @param options - `reason`: by default the one of the status. */
  constructor(
    status: number,
    message: string,
    { headers = {}, reason = reasonOf(status), input, ...options }: HttpErrorOptions = {},
  ) {
    super(message, options);
    this.reason = reason;
    this.input = input;
    this.status = status;
    this.isUserError = status < 500;
    this.isRetryable = retryableStatuses.has(status);
    this.headers = headers;
  }
}

/** An error that is for callers as a response; undefined for another one. */
export function errorForCaller(error: unknown): HttpError | undefined {
  if (!(error instanceof ChainReadError)) return error instanceof HttpError ? error : undefined;
  return new HttpError(error.status, error.message, error.kind === "archival" ? { reason: "history_pruned" } : {});
}

interface HttpErrorOptions extends ErrorOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly reason?: FailureReason;
  readonly input?: string | undefined;
}

/** Lets pages of other origins read these headers. */
export const exposedHeaders = {
  "access-control-expose-headers": "Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, Chain-Head, Preference-Applied",
} as const;

/** Of limits, of a service that is starting or too busy, and of a source that is slow or unavailable. */
const retryableStatuses: ReadonlySet<number> = new Set([429, 503, 504, 542]);

/** Why the service cannot start, as one line for the operator: an address that is in use, a folder that holds no chain or no keys. */
export class StartError extends OperationalError {
  override readonly name = "StartError";
  override readonly isUserError = true;
  override readonly isRetryable: boolean;

  /** @param options - `isRetryable`: it may pass without the operator, so that a supervisor should start the service again. */
  constructor(message: string, { isRetryable = false, ...options }: ErrorOptions & { readonly isRetryable?: boolean } = {}) {
    super(message, options);
    this.isRetryable = isRetryable;
  }
}

/** Opens a database. A wrong URL or password file, which the store reports as a `RangeError`, is the operator's. */
export function opened<Opened>(open: () => Opened): Opened {
  try {
    return open();
  } catch (error) {
    throw error instanceof RangeError ? new StartError(error.message) : error;
  }
}

/**
 * The failure envelope of the contract, as JSON.
 *
 * @param extra - The identifier of the request; absent if the request could not be read that far.
 * @param call - Members of a call of JSON-RPC that its response returns.
 */
export function failureText({ status, message, reason, input }: HttpError, extra?: string, call?: CallEnvelope): string {
  // JSON leaves out what is undefined.
  return JSON.stringify({ ok: false, error: message, code: status, reason, input, "@extra": extra, ...call });
}

/** The message of an error, for logs. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Cuts the secrets of API keys out of a text that is logged or sent. */
export function withoutKeys(text: string): string {
  return text.replaceAll(/(cq_[0-9a-f]{12})_[\w-]+/g, "$1_…");
}
