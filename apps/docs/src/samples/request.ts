/** The request of a code sample, and functions to write its values as TypeScript. */

/** A request without its base URL. */
export interface SampleRequest {
  operationId: string;
  method: string;
  path: string;
  query: Readonly<Record<string, string | number | boolean>>;
  headers: Readonly<Record<string, string>>;
  body?: object;
}

/** The header with the API key, in lower case. */
export const keyHeader = "x-api-key";

/** The environment variable from which samples read the API key. */
export const keyVariable = "CHAIN_API_KEY";

/** The API key of a request, if it has one. */
export function apiKeyOf({ headers }: Pick<SampleRequest, "headers">): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === keyHeader)?.[1];
}

/** The playground shows lines of 79 characters without scrolling in a window of 1280 pixels. */
const maxLineLength = 72;

/**
 * Writes an object of plain values on one line if that line has at most 72 characters together with the `besideLength` characters of
 * code around it, otherwise with a line for each member.
 *
 * @example
 * literal({ workchain: -1 }, "lookupBlock(".length); // "{ workchain: -1 }"
 */
export function literal(value: object, besideLength: number): string {
  const members = Object.entries(value).map(([name, member]) => `${propertyKey(name)}: ${JSON.stringify(member)}`);
  if (members.length === 0) return "{}";
  const line = `{ ${members.join(", ")} }`;
  return besideLength + line.length <= maxLineLength ? line : `{\n${members.map((member) => `  ${member},\n`).join("")}}`;
}

/** Indents all lines but the first. */
export function indent(text: string): string {
  return text.replaceAll("\n", "\n  ");
}

function propertyKey(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
}
