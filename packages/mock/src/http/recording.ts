import type { ApiRequest } from "../answers/exchange.ts";

/** A request as the mock received it. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | string[]>>;
  /** By lower-case name; the value of a key reads `[redacted]`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON; the beginning of its text if it is long. */
  readonly body?: unknown;
}

/** Longer bodies are cut off, so that a thousand of them fit in memory. */
const bodyLimit = 16 * 1024;

/** A request without its key. */
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

/** Keeps the latest requests, up to a number. */
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
