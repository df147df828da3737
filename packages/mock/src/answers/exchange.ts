/** Requests and responses of the mock, independent of an HTTP server. */
/** A received request. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  /** A parameter that is given several times has a list of values. */
  readonly query: Readonly<Record<string, string | string[]>>;
  /** Keyed by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON, or the text if it is not JSON; absent without a body. */
  readonly body?: unknown;
  /** Bytes of the body. */
  readonly size: number;
  /** Address of the caller. */
  readonly client: string;
  /** Set if the body cannot be read. */
  readonly refusal?: Refusal;
}

/** A response; the body is sent as JSON. */
export interface ApiResponse {
  /** 0 closes the connection without a response. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Whether the body is an object that never changes, so that its JSON can be cached. */
  readonly constant?: boolean;
}

/** Answers a request. Conditions, the log and the server wrap one responder in another. */
export type Responder = (request: ApiRequest) => Promise<ApiResponse>;

/** Closes the connection without a response. */
export const hangUp: ApiResponse = { status: 0, headers: {}, body: undefined };

/** A failure with the error body of the contract. */
export function failure(status: number, error: string, headers: Readonly<Record<string, string>> = {}): ApiResponse {
  return { status, headers, body: { ok: false, error, code: status } };
}

/** Thrown to answer with a failure. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly response: ApiResponse;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.response = failure(status, message, headers);
  }
}
