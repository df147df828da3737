/** Rows of the matrix: each runs one check and prints one line. */

/** One check, which rejects if the package fails it. */
export interface Row {
  runtime: string;
  version: string;
  what: string;
  prove: () => Promise<void>;
}

const line = (cells: readonly string[]): string =>
  cells
    .map((cell, index) => cell.padEnd([12, 14, 24, 7][index] ?? 0))
    .join(" ")
    .trimEnd();

/** Runs rows, a few at a time, and prints each result, then the count. Resolves to whether all passed. */
export async function runRows(rows: readonly Row[], signal: AbortSignal, atATime = 2): Promise<boolean> {
  console.log(line(["runtime", "version", "what", "result", "seconds"]));
  const waiting = [...rows];
  let passed = 0;
  async function work(): Promise<void> {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      const started = performance.now();
      const failure = await row.prove().then(
        () => undefined,
        (error: unknown) => error,
      );
      signal.throwIfAborted();
      const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(7);
      console.log(line([row.runtime, row.version, row.what, failure === undefined ? "ok" : "failed", seconds]));
      if (failure === undefined) passed++;
      else console.log(indented(failure));
    }
  }
  await Promise.all(Array.from({ length: atATime }, work));
  console.log(`${passed} passed, ${rows.length - passed} failed`);
  return passed === rows.length;
}

function indented(failure: unknown): string {
  const text = failure instanceof Error ? failure.message : String(failure);
  const lines = text.split("\n");
  return [...lines.slice(0, 30), ...(lines.length > 30 ? [`… ${lines.length - 30} more lines`] : [])]
    .map((each) => `    ${each}`)
    .join("\n");
}
