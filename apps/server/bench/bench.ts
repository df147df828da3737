/**
 * Everything that the service promises of its speed, beside the goals. `--only speed,scale` runs parts; `--seed`, `--from` and `--count`
 * say which wrong requests the fuzz sends, so that one that was answered wrongly can be sent again by itself.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { produceChain } from "./chains.ts";
import { benchFaults } from "./faults.ts";
import { benchFuzz, type FuzzRange } from "./fuzz.ts";
import { benchLatency } from "./latency.ts";
import { benchScale } from "./scale.ts";
import { benchSpeed } from "./speed.ts";
import { benchStart } from "./start.ts";
import { benchWorkers } from "./workers.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
    count: { type: "string", default: "100000" },
  },
});
const range: FuzzRange = { seed: Number(values.seed), from: Number(values.from), count: Number(values.count) };

type Part = (folder: string, chain: () => Promise<string>) => Promise<void>;

const parts: Readonly<Record<string, Part>> = {
  speed: async (_, chain) => benchSpeed(await chain()),
  latency: async (_, chain) => benchLatency(await chain()),
  workers: async (_, chain) => benchWorkers(await chain()),
  scale: (folder) => benchScale(folder),
  start: async (_, chain) => benchStart(await chain()),
  faults: async (_, chain) => benchFaults(await chain()),
  fuzz: async (_, chain) => benchFuzz(await chain(), range),
};

const chosen = values.only?.split(",") ?? Object.keys(parts);
const unknown = chosen.filter((name) => parts[name] === undefined);
if (unknown.length > 0) {
  console.error(`bench server: --only ${unknown.join(",")}: of ${Object.keys(parts).join(", ")} is accepted`);
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "server-bench-"));
process.once("SIGINT", () => process.exit(130));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
let made: Promise<string> | undefined;

/** The chain of most parts, made once. */
const chain = (): Promise<string> => {
  made ??= produceChain(join(folder, "chain"), 10_000).then(() => join(folder, "chain"));
  return made;
};

for (const name of chosen) await parts[name]?.(folder, chain);
process.exit();
