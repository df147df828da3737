/** Tables of results for terminals. */

type Row = readonly (readonly [path: string, text: string])[];

/**
 * The members of a result by their paths, one a line; a list of objects is a table below, with as many columns as fit.
 *
 * @param columns - Those of the terminal. Some report 0, which is taken as 80.
 */
export function tableOf(result: unknown, columns: number): string {
  const width = columns || 80;
  const lists: string[] = [];
  const rows = leavesOf(result, "", (path, items) => {
    lists.push(`\n${path || "items"}: ${items.length}`, ...columnsOf(items, width));
  });
  const label = Math.max(0, ...rows.map(([path]) => path.length));
  return [...rows.map(([path, text]) => cut(`${path.padEnd(label)}  ${text}`, width)), ...lists].join("\n").trim();
}

/** The members that are no objects; lists of objects go to `onList`. */
function leavesOf(value: unknown, path: string, onList: (path: string, items: readonly object[]) => void): Row {
  if (typeof value !== "object" || value === null) return [[path, String(value)]];
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "object" && item !== null)) {
    onList(path, value);
    return [];
  }
  if (Array.isArray(value)) return [[path, value.join(", ")]];
  return Object.entries(value)
    .filter(([name]) => !name.startsWith("@"))
    .flatMap(([name, member]) => leavesOf(member, path === "" ? name : `${path}.${name}`, onList));
}

const cellWidth = 24;

function columnsOf(items: readonly object[], width: number): string[] {
  const rows = items.map((item) => {
    const counts: [string, string][] = [];
    const leaves = leavesOf(item, "", (path, list) => counts.push([path, `${list.length} ×`]));
    return new Map([...leaves, ...counts].map(([path, text]) => [path, cut(text, cellWidth)]));
  });
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const columns = names.map((name) => [cut(name, cellWidth), ...rows.map((row) => row.get(name) ?? "")]);
  const widths = columns.map((cells) => Math.max(...cells.map((text) => text.length)));
  const line = (index: number) => columns.map((cells, column) => cells[index]?.padEnd(widths[column] ?? 0)).join("  ");
  return [names, ...rows].map((_, index) => cut(line(index).trimEnd(), width));
}

/** Texts of the network may contain characters that a terminal would act on. */
function cut(text: string, width: number): string {
  const visible = text.replaceAll(/[\p{Cc}\p{Cf}]/gu, "·");
  return visible.length <= width ? visible : `${visible.slice(0, width - 1)}…`;
}
