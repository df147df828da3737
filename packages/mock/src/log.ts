import type { LogEntry } from "./options.ts";

/** A line for a person: when, what, and what became of it. */
export function line({ time, request: { method, path, query }, status, ms }: LogEntry): string {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  const search = new URLSearchParams(pairs).toString();
  const outcome = status === 0 ? "dropped" : status;
  return `${time.toISOString().slice(11, 23)} ${method} ${path}${search === "" ? "" : `?${search}`} ${outcome} ${Math.round(ms)} ms`;
}

/** The same for a program. */
export function jsonLine({ time, request, status, ms }: LogEntry): string {
  const { method, path, query, headers } = request;
  const key = headers["x-api-key"];
  return JSON.stringify({
    time: time.toISOString(),
    method,
    path,
    query,
    ...(key === undefined ? {} : { key }),
    status: status === 0 ? null : status,
    ms: Math.round(ms * 1000) / 1000,
  });
}
