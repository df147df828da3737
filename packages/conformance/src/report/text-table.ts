import { styleText } from "node:util";

/** A cell of the table; `color` is left out of the width. */
export interface Cell {
  readonly text: string;
  readonly color?: "green" | "yellow" | "red" | "dim";
}

/** A wider cell does not push the columns of all the other lines to the right. */
const widest = 80;

/** Lines of columns that stand below each other. */
export function tableOf(rows: readonly Cell[][], colored: boolean): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach(({ text }, column) => {
      const width = Math.min(text.length, widest);
      if (width > (widths[column] ?? 0)) widths[column] = width;
    });
  }
  return rows.map((row) =>
    row
      .map(({ text, color }, column) => {
        const padding = column === row.length - 1 ? "" : " ".repeat(Math.max(0, (widths[column] ?? 0) - text.length));
        // Whether the output is a terminal is known to the caller only.
        const shown = colored && color !== undefined ? styleText(color, text, { validateStream: false }) : text;
        return shown + padding;
      })
      .join("  "),
  );
}
