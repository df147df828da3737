/** Times the commands of a newcomer and of a maintainer in a clone of the last commit. */
import { globSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../workspace/packages.ts";
import { machineEnvironment, namedPnpm, runChecked } from "../workspace/processes.ts";

/** Prints each figure beside its goal, and removes the clone. */
export async function benchPipeline(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "chain-query-bench-"));
  const clone = join(folder, "clone");
  const here = { env: machineEnvironment(), signal: new AbortController().signal };
  const pnpm = (...args: string[]) => runChecked([...namedPnpm, ...args], { ...here, cwd: clone });
  const time = async (name: string, goal: number, work: () => Promise<unknown>) => {
    const start = performance.now();
    await work();
    const seconds = (performance.now() - start) / 1000;
    console.log(`${name.padEnd(34)} ${seconds.toFixed(1).padStart(6)} s   goal ≤ ${goal} s`);
  };
  try {
    await time("fresh clone to eight answers", 90, async () => {
      await runChecked(["git", "clone", "--quiet", root, clone], { ...here, cwd: root });
      await pnpm("start", "--once", "--service-port", "0", "--port", "0", "--docs-port", "0");
    });
    // Forget the build, keep the installation.
    for (const made of globSync("{.,openapi,packages/*,apps/*}/{dist,.reports,.turbo}", { cwd: clone })) {
      await rm(join(clone, made), { recursive: true });
    }
    await time("pnpm check, cold", 420, () => pnpm("check"));
    await time("pnpm check, nothing changed", 15, () => pnpm("check"));
    const contract = join(clone, "openapi/openapi.yaml");
    await writeFile(contract, (await readFile(contract, "utf8")).replace("All of them only read.", "All of them read only."));
    await time("one line of the contract edited", 10, () => pnpm("build"));
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
