/** Latency of each read and memory of a reader, with 100,000 and with 1,000,000 transactions. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createSyntheticChain } from "@chain-query/local-chain/testing";
import type { ReadReport } from "./read-process.ts";

const ACCOUNTS = 10_000;
const ROUNDS = 2;
const SIZES = [100_000, 1_000_000] as const;
const script = fileURLToPath(new URL("read-process.ts", import.meta.url));

const directory = mkdtempSync(join(tmpdir(), "local-chain-bench-"));
try {
  console.log(`reads from synthetic chains of ${ACCOUNTS} accounts\n`);
  const stores = SIZES.map((size) => ({ size, folder: join(directory, `${size}`) }));
  for (const { size, folder } of stores) await load(folder, size);
  const rounds: ReadReport[][] = [];
  // Alternately, so that other load affects both.
  for (let round = 0; round < ROUNDS; round++) {
    const reports: ReadReport[] = [];
    for (const { folder } of stores) reports.push(await reportOf(folder));
    rounds.push(reports);
  }
  print(rounds);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function load(folder: string, size: number): Promise<void> {
  const start = performance.now();
  await createSyntheticChain(folder, { accounts: ACCOUNTS, transactionsPerStep: 100 }, size);
  const megabytes = statSync(join(folder, "chain.mdb")).size / 2 ** 20;
  const seconds = (performance.now() - start) / 1000;
  console.log(`${size} transactions: loaded in ${seconds.toFixed(0)} s, ${megabytes.toFixed(0)} MB on disk`);
}

async function reportOf(folder: string): Promise<ReadReport> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--no-warnings", script, folder, `${ACCOUNTS}`]);
  return JSON.parse(stdout);
}

function print(rounds: readonly (readonly ReadReport[])[]): void {
  const names = Object.keys(rounds[0]?.[0]?.operations ?? {});
  console.log(`\nmicroseconds, the better of ${ROUNDS} rounds   p50 at ${SIZES[0]}   at ${SIZES[1]}   ratio`);
  for (const name of names) {
    const [small = 0, large = 0] = SIZES.map((_, i) =>
      Math.min(...rounds.map((reports) => reports[i]?.operations[name]?.p50 ?? 0)),
    );
    const columns = [small.toFixed(1).padStart(13), large.toFixed(1).padStart(13), (large / small).toFixed(2).padStart(8)];
    console.log(`${name.padEnd(36)}${columns.join("")}`);
  }
  console.log(`${"goal".padEnd(36)}${"≤ 50".padStart(13)}${"".padStart(13)}${"≤ 1.3".padStart(8)}\n`);
  for (const [i, size] of SIZES.entries()) {
    const [own, mapped] = (["own", "mapped"] as const).map((kind) =>
      Math.max(...rounds.map((reports) => reports[i]?.memory[kind] ?? 0)).toFixed(0),
    );
    console.log(`memory of a reader at ${size}: ${own} MB private (goal ≤ 150), ${mapped} MB mapped from the file`);
  }
}
