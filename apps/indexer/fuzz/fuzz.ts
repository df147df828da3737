/**
 * Long runs of indexers with faults, on a separate PostgreSQL. The tests run short forms of them.
 *
 *   node --conditions=@chain-query/source apps/indexer/fuzz/fuzz.ts kills 200
 *   node --conditions=@chain-query/source apps/indexer/fuzz/fuzz.ts stops 10 --pause 30s
 */
import { duration, parseCommandLine, progressBar, runProgram, wholeNumber } from "@chain-query/command-line";
import { madeChain } from "@chain-query/local-chain/testing";
import { FROZEN } from "@chain-query/testing/chains";
import { startPostgres } from "@chain-query/testing/services";
import { killIndexers, stopLeaders } from "./faults.ts";
import { heldIndex } from "./holds.ts";
import { indexWhole } from "./indexes.ts";

const count = wholeNumber(1, 100_000, "<count>");
const flags = {
  steps: { type: wholeNumber(3, 100_000), default: "600", help: "length of the chain" },
  seed: { type: wholeNumber(0, 2 ** 31), default: "1", help: "seed of the points" },
} as const;

const program = {
  name: "fuzz",
  manifest: new URL("../package.json", import.meta.url),
  commands: {
    kills: { summary: "kills an indexer at many points", arguments: { count }, flags },
    stops: {
      summary: "stops the first of two indexers at many points until the other has taken over, then continues it",
      arguments: { count },
      flags: { ...flags, pause: { type: duration, help: "minimum time of a stop" } },
    },
  },
} as const;

await runProgram(
  program.name,
  (args) => parseCommandLine(program, args),
  async (task) => {
    const { count, steps, seed } = task;
    await using server = await startPostgres();
    const chain = await madeChain({ ...FROZEN, steps });
    const createIndex = () => server.createDatabase(heldIndex);
    const whole = await createIndex();
    await indexWhole(whole, chain);
    const bar = progressBar(process.stderr, count);
    const common = { chain, steps, seed, whole, createIndex };
    const report =
      task.command === "kills"
        ? await killIndexers({ ...common, kills: count, onKill: (kill) => bar.show(kill) })
        : await stopLeaders({ ...common, stops: count, pause: (task.pause ?? 0) * 1000, onStop: (stop) => bar.show(stop) });
    bar.clear();
    console.log(report);
    return 0;
  },
);
