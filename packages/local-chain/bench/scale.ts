/** CPU time of a transaction with 1,000 and with 100,000 accounts, and memory of the writer. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createChain } from "@chain-query/local-chain";
import { median } from "./median.ts";
import type { ScaleReport } from "./scale-process.ts";

const SIZES = [1_000, 100_000] as const;
const ROUNDS = 5;
const STEPS = 60;
const script = fileURLToPath(new URL("scale-process.ts", import.meta.url));

/** Prints CPU time for each transaction at both sizes, their ratio, and memory. */
export async function benchScale(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "local-chain-bench-"));
  try {
    console.log(
      `production with ${SIZES.join(" and ")} accounts, ${ROUNDS} rounds of ${STEPS} steps alternately, each in its own process\n`,
    );
    for (const accounts of SIZES) await createChain(join(directory, `${accounts}`), { seed: 1, accounts });
    const reports = SIZES.map((): ScaleReport[] => []);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [i, accounts] of SIZES.entries()) reports[i]?.push(await reportOf(join(directory, `${accounts}`)));
    }
    print(reports);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function reportOf(chain: string): Promise<ScaleReport> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--no-warnings", script, chain, `${STEPS}`]);
  return JSON.parse(stdout);
}

function print(reports: readonly ScaleReport[][]): void {
  const costs = reports.map((all) => median(all.map(({ cpuMs, transactions }) => cpuMs / transactions)));
  console.log("accounts      CPU ms for each transaction        MB private        MB with mapped pages   ");
  for (const [i, accounts] of SIZES.entries()) {
    const all = reports[i] ?? [];
    const own = Math.max(...all.map(({ ownMegabytes }) => ownMegabytes));
    const whole = Math.max(...all.map(({ allMegabytes }) => allMegabytes));
    const cells = [(costs[i] ?? 0).toFixed(2).padStart(34), own.toFixed(0).padStart(18), whole.toFixed(0).padStart(30)];
    console.log(`${String(accounts).padEnd(12)}${cells.join("")}`);
  }
  const [small = 0, large = 0] = costs;
  console.log(
    `\n${SIZES[1]} / ${SIZES[0]} accounts   ${(large / small).toFixed(2)}   goal ≤ 1.5; memory of the writer ≤ 500 MB\n`,
  );
}
