/** What code samples are made of: a request, and values as TypeScript literals. */

/** A request. */
export interface SampleRequest {
  operationId: string;
  method: string;
  path: string;
  query: Readonly<Record<string, string | number | boolean>>;
  headers: Readonly<Record<string, string>>;
  body?: object;
}

/** The header with the key, in lower case. */
export const keyHeader = "x-api-key";

/** The environment variable from which samples read the key. */
export const keyVariable = "CHAIN_API_KEY";

/** The key of a request, if it has one. */
export function keyIn({ headers }: Pick<SampleRequest, "headers">): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === keyHeader)?.[1];
}

/** Longest line of a sample. */
const width = 72;

/**
 * Writes an object of plain values on one line if it fits after `before` characters, otherwise with a line for each member.
 *
 * @example
 * literal({ workchain: -1 }, "lookupBlock(".length); // "{ workchain: -1 }"
 */
export function literal(value: object, before: number): string {
  const members = Object.entries(value).map(([name, member]) => `${nameIn(name)}: ${JSON.stringify(member)}`);
  if (members.length === 0) return "{}";
  const line = `{ ${members.join(", ")} }`;
  return before + line.length <= width ? line : `{\n${members.map((member) => `  ${member},\n`).join("")}}`;
}

/** Indents all lines but the first. */
export function indented(text: string): string {
  return text.replaceAll("\n", "\n  ");
}

function nameIn(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
}
