/**
 * Faults of an indexer at full length, on a PostgreSQL of its own. The tests run short forms of them.
 *
 *   node --conditions=@chain-query/source apps/indexer/fuzz/fuzz.ts kills 200
 *   node --conditions=@chain-query/source apps/indexer/fuzz/fuzz.ts stops 10 --pause 30s
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { duration, parseCommandLine, progressBar, runProgram, wholeNumber } from "@chain-query/command-line";
import { startPostgres } from "@chain-query/test-services";
import { indexOf, produceChain } from "./chains.ts";
import { killIndexers } from "./kills.ts";
import { stopLeaders } from "./stops.ts";

const count = wholeNumber(1, 100_000, "<count>");
const steps = { steps: { type: wholeNumber(1, 100_000), default: "600", help: "length of the chain" } } as const;

const program = {
  name: "fuzz",
  manifest: new URL("../package.json", import.meta.url),
  commands: {
    kills: { summary: "kills an indexer at random moments", arguments: { count }, flags: steps },
    stops: {
      summary: "stops the first of two indexers at random moments until the other has taken over, then continues it",
      arguments: { count },
      flags: { ...steps, pause: { type: duration, help: "time that it is stopped, at least" } },
    },
  },
} as const;

await runProgram(
  program.name,
  (args) => parseCommandLine(program, args),
  async (task) => {
    const { count, steps } = task;
    const folder = mkdtempSync(join(tmpdir(), "chain-query-faults-"));
    await using server = await startPostgres();
    try {
      const chain = join(folder, "chain");
      await produceChain(chain, steps);
      const createIndex = () => indexOf(server);
      const whole = await indexOf(server, chain);
      const bar = progressBar(process.stderr, count);
      const common = { chain, steps, whole, createIndex };
      const report =
        task.command === "kills"
          ? await killIndexers({ ...common, kills: count, onKill: (kill) => bar.show(kill) })
          : await stopLeaders({ ...common, stops: count, pause: (task.pause ?? 0) * 1000, onStop: (stop) => bar.show(stop) });
      bar.clear();
      console.log(report);
      return 0;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
