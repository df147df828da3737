import { documented } from "../documented.ts";
import type { LogEntry, MockOptions } from "../options.ts";
import type { Output } from "./arguments.ts";

/** What is printed when the mock listens. */
export const greetings: Readonly<Record<Output, (url: string) => string>> = {
  quiet: (url) => url,
  lines: (url) => `The mock answers at ${url} until Ctrl-C. Try:\n\n${curlLines(url).join("\n")}\n`,
  json: (url) => JSON.stringify({ time: new Date().toISOString(), url }),
};

/** What is printed after each request. */
export const loggers: Readonly<Record<Output, Pick<MockOptions, "log">>> = {
  quiet: {},
  lines: { log: (entry) => console.log(textLine(entry)) },
  json: { log: (entry) => console.log(jsonLine(entry)) },
};

/** A curl command for the first example of each operation. */
export function curlLines(url: string): string[] {
  const first = documented.filter(
    ({ operationId }, index) => documented.findIndex((other) => other.operationId === operationId) === index,
  );
  return first.map(({ request: { path, query, body } }) => {
    const search = new URLSearchParams(query).toString();
    const target = `${url}${path}${search === "" ? "" : `?${search}`}`;
    // An ampersand would end the command.
    const quoted = search === "" ? target : `'${target}'`;
    if (body === undefined) return `curl ${quoted}`;
    return `curl ${quoted} -H 'content-type: application/json' -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`;
  });
}

/** Time, request, status and duration. */
export function textLine({ time, request: { method, path, query }, status, ms }: LogEntry): string {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  const search = new URLSearchParams(pairs).toString();
  const outcome = status === 0 ? "dropped" : status;
  return `${time.toISOString().slice(11, 23)} ${method} ${path}${search === "" ? "" : `?${search}`} ${outcome} ${Math.round(ms)} ms`;
}

/** The same as JSON, with the query parsed; the key is redacted. */
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
