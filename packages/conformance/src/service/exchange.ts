/** One request to a service and what came back. */

/** A request as data. It is sent as it stands, also where it is not one that the contract allows. */
export interface Request {
  /** The operation that it is meant for. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of a body. */
  readonly text?: string;
}

/** An answer as it was received. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string | undefined;
  readonly bytes: Uint8Array;
  /** The parsed body; undefined where it is not JSON in UTF-8. */
  readonly body: unknown;
}

/** A request with its answer, or with the reason why there is none. */
export interface Exchange {
  readonly request: Request;
  /** Whether the service's key went with it. */
  readonly keyed: boolean;
  readonly outcome: Answer | string;
}

/** The answer, where there is one. */
export function answerOf({ outcome }: Exchange): Answer | undefined {
  return typeof outcome === "string" ? undefined : outcome;
}

/** The text that a request carries. */
export function contentOf({ body, text }: Request): string | undefined {
  return text ?? (body === undefined ? undefined : JSON.stringify(body));
}

/** The headers that a request goes with, but for the key. */
export function headersOf(request: Request): Record<string, string> {
  const content = contentOf(request) === undefined ? {} : { "content-type": "application/json" };
  return { ...content, ...request.headers };
}

/** The path and the query. */
export function targetOf({ path, query = {} }: Request): string {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}
