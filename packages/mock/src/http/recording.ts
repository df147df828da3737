/** Records requests for `mock.requests`, without API keys. */
import type { ApiRequest } from "../answers/exchange.ts";

/** A request as the mock received it. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | string[]>>;
  /** Keyed by lower-case name; the value of an API key is `[redacted]`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON; the beginning of its text if it is longer than 16 kB. */
  readonly body?: unknown;
}

/** In bytes. Longer bodies are truncated, so that a thousand of them fit in memory. */
const bodyLimit = 16 * 1024;

/** The record of a request, without its API key. */
export function recorded({ method, path, query, headers, body, size }: ApiRequest): RecordedRequest {
  const kept = size > bodyLimit ? JSON.stringify(body)?.slice(0, bodyLimit) : body;
  return {
    method,
    path,
    query,
    headers: "x-api-key" in headers ? { ...headers, "x-api-key": "[redacted]" } : headers,
    ...(body === undefined ? {} : { body: kept }),
  };
}

/** The latest requests, oldest first. */
export interface Recording {
  readonly list: readonly RecordedRequest[];
  add(request: ApiRequest): void;
  clear(): void;
}

/** Keeps the latest requests, at most `limit`. */
export function createRecording(limit: number): Recording {
  const list: RecordedRequest[] = [];
  return {
    list,
    add(request) {
      if (limit === 0) return;
      if (list.length >= limit) list.shift();
      list.push(recorded(request));
    },
    clear: () => void list.splice(0),
  };
}
