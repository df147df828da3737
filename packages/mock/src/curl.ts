import { documented } from "./documented.ts";

/** One line for each operation that asks its first example of a mock, ready to paste into a shell. */
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
