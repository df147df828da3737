/** Output of the command: its start message and its log lines. */
import { operations } from "@chain-query/openapi/operations";
import type { LogEntry, MockOptions } from "../options.ts";
import type { Output } from "./arguments.ts";

/** Printed when the mock listens. */
export const startMessages: Readonly<Record<Output, (url: string) => string>> = {
  quiet: (url) => url,
  lines: (url) => `The mock listens at ${url} until Ctrl-C. Try:\n\n${curlLines(url).join("\n")}\n`,
  json: (url) => JSON.stringify({ time: new Date().toISOString(), url }),
};

/** Print a line after each request. */
export const loggers: Readonly<Record<Output, Pick<MockOptions, "log">>> = {
  quiet: {},
  lines: { log: (entry) => console.log(textLine(entry)) },
  json: { log: (entry) => console.log(jsonLine(entry)) },
};

/** A curl command for the first example of each operation. */
export function curlLines(url: string): string[] {
  return operations.flatMap(({ examples: [first] }) => {
    if (first === undefined) return [];
    const { path, query, body } = first.request;
    const search = searchOf(query);
    // A query has characters that the shell would interpret.
    const target = search === "" ? `${url}${path}` : `'${url}${path}${search}'`;
    if (body === undefined) return [`curl ${target}`];
    return [`curl ${target} -H 'content-type: application/json' -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`];
  });
}

function searchOf(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, String(value)]),
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

/** Time, request, status and duration. */
function textLine({ time, request: { method, path, query }, status, ms }: LogEntry): string {
  const outcome = status === 0 ? "dropped" : status;
  return `${time.toISOString().slice(11, 23)} ${method} ${path}${searchOf(query)} ${outcome} ${Math.round(ms)} ms`;
}

/** The same as JSON, with the parsed query and the redacted API key. */
function jsonLine({ time, request, status, ms }: LogEntry): string {
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
