/** Values as TypeScript writes them. */

/** Columns that a line of a sample may have: what a phone's code panel shows before it scrolls would be fewer still. */
const width = 72;

/**
 * Writes an object of plain values as a literal: on one line where it fits behind what stands before it, else a line each.
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

/** Moves all lines but the first to the right. */
export function indented(text: string): string {
  return text.replaceAll("\n", "\n  ");
}

function nameIn(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
}
