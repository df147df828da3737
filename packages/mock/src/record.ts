import type { Question } from "./exchange.ts";

/** A request as the mock received it. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | string[]>>;
  /** By lower-case name; the value of a key is left out. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it was JSON; the beginning of its text where that was long. */
  readonly body?: unknown;
}

/** What stands for a key wherever requests are shown. */
const redacted = "[redacted]";

/** A body with a longer text is kept in part, so that a thousand of them fit in memory. */
const bodyLimit = 16 * 1024;

/** A question without what nobody else may see. */
export function shown({ method, path, query, headers, body, size }: Question): RecordedRequest {
  const kept = size > bodyLimit ? JSON.stringify(body)?.slice(0, bodyLimit) : body;
  return {
    method,
    path,
    query,
    headers: "x-api-key" in headers ? { ...headers, "x-api-key": redacted } : headers,
    ...(body === undefined ? {} : { body: kept }),
  };
}

/** The latest requests, oldest first. */
export interface Requests {
  readonly list: readonly RecordedRequest[];
  add(question: Question): void;
  clear(): void;
}

/** Keeps at most so many requests. */
export function latest(most: number): Requests {
  const list: RecordedRequest[] = [];
  return {
    list,
    add(question) {
      if (most === 0) return;
      if (list.length >= most) list.shift();
      list.push(shown(question));
    },
    clear: () => void list.splice(0),
  };
}
