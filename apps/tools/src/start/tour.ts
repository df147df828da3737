/** Calls each operation of the contract with its first documented request. */
import { type DocumentedExample, operations } from "@chain-query/openapi/operations";

/** Columns of a result. */
const width = 70;

/** Calls the service at `baseUrl` and resolves to a table of the calls. A failed call is a row too. */
export async function tour(baseUrl: string): Promise<{ readonly table: string; readonly failed: boolean }> {
  const rows: string[][] = [["operation", "status", "ms", "result"]];
  let failed = false;
  for (const { id, examples } of operations) {
    const start = performance.now();
    const [status, result] = await call(baseUrl, examples[0]?.request).catch((error: unknown) => ["-", String(error)] as const);
    failed ||= status !== "200";
    rows.push([id, status, (performance.now() - start).toFixed(0), result]);
  }
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map(([operation = "", status = "", ms = "", result = ""]) =>
    [operation.padEnd(widths[0] ?? 0), status.padEnd(widths[1] ?? 0), ms.padStart(widths[2] ?? 0), result].join("  "),
  );
  return { table: lines.join("\n"), failed };
}

/** The status of a response, and its short values or the error. */
async function call(
  baseUrl: string,
  request: DocumentedExample["request"] | undefined,
): Promise<readonly [status: string, result: string]> {
  const { method = "GET", path = "/", query = {}, body } = request ?? {};
  const search = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]));
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${baseUrl}${path}?${search}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const { result, error } = (await response.json()) as { readonly result?: unknown; readonly error?: string };
  const text = error ?? valuesOf(result).join(", ");
  return [String(response.status), text.length <= width ? text : `${text.slice(0, width - 1)}…`];
}

/** The numbers and short texts of a result by their names, and the lengths of its lists. */
function valuesOf(value: unknown, name = ""): string[] {
  if (Array.isArray(value)) return [`${value.length} ${name}`];
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([member, inner]) => (member.startsWith("@") ? [] : valuesOf(inner, member)));
  const text = String(value);
  return text === "" || text.length > 20 ? [] : [`${name} ${text}`];
}
