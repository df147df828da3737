/** Counts what held, and shows it while it goes. */
import { closingLine } from "../test-reports.ts";

/** A running count. */
export interface Score {
  /** Runs one proof. Where it rejects, it counts as failed, its message is shown, and what follows from it is given up. */
  prove<Found>(what: string, work: () => Promise<Found>): Promise<Found>;
  /** The closing line, and whether everything held. */
  sum(): { line: string; held: boolean };
}

/** Thrown by a proof that failed and was told of. */
export class GivenUp extends Error {}

/** A terminal sees each proof as it begins and ends, a pipe only those that fail. */
export function makeScore(terminal: boolean, print: (line: string) => void, signal: AbortSignal): Score {
  let passed = 0;
  let failed = 0;
  return {
    async prove(what, work) {
      if (terminal) print(`     … ${what}`);
      const started = performance.now();
      try {
        const found = await work();
        passed++;
        if (terminal) print(`ok     ${what} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
        return found;
      } catch (error) {
        signal.throwIfAborted();
        failed++;
        print(`failed ${what}\n${indented(error)}`);
        throw new GivenUp(what);
      }
    },
    sum: () => ({ line: closingLine({ passed, failed, skipped: 0 }), held: failed === 0 && passed > 0 }),
  };
}

function indented(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split("\n");
  const shown = lines.length <= 60 ? lines : [...lines.slice(0, 20), `… ${lines.length - 60} lines …`, ...lines.slice(-40)];
  return shown.map((line) => `    ${line}`).join("\n");
}
