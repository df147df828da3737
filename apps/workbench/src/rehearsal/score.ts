/** Counts proofs and prints them. */
import { closingLine } from "../test/results.ts";

/** A running count. */
export interface Score {
  /** Runs a proof. If it rejects, prints the message, counts a failure and throws `ProofFailed`. */
  prove<Found>(what: string, work: () => Promise<Found>): Promise<Found>;
  /** The closing line, and whether all proofs passed. */
  sum(): { line: string; passed: boolean };
}

/** A proof failed, and its message was printed. */
export class ProofFailed extends Error {}

/** Prints each proof to a terminal, and only the failed ones to a pipe. */
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
        throw new ProofFailed(what);
      }
    },
    sum: () => ({ line: closingLine({ passed, failed, skipped: 0 }), passed: failed === 0 && passed > 0 }),
  };
}

function indented(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split("\n");
  const shown = lines.length <= 60 ? lines : [...lines.slice(0, 20), `… ${lines.length - 60} lines …`, ...lines.slice(-40)];
  return shown.map((line) => `    ${line}`).join("\n");
}
