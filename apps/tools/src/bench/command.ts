/** `pnpm bench NAME`: measures and prints. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Flags, text } from "@chain-query/command-line";
import { runCommand } from "../workspace/command-line.ts";
import { root } from "../workspace/packages.ts";
import { machineEnvironment, namedPnpm, runChecked, turbo } from "../workspace/processes.ts";

interface Bench {
  readonly summary: string;
  /** The package of the bench; the pipeline has no package. */
  readonly folder?: string;
  readonly program?: string;
  readonly flags: Flags;
}

const benches = {
  client: {
    summary: "size of the client and time per call beside others",
    flags: {},
    folder: "packages/client",
    program: "bench/run.ts",
  },
  pipeline: { summary: "fresh clone to eight answers, check cold and warm, one line of the contract edited", flags: {} },
  "local-chain": {
    summary: "reads of a small and a large chain, memory of a reader",
    flags: {},
    folder: "packages/local-chain",
  },
  index: {
    summary: "pages from PostgreSQL beside LMDB, steps written beside a plain COPY, disk space",
    folder: "packages/postgres-store",
    flags: { only: { type: text("<parts>", "names of parts"), help: "the parts to run, separated by commas" } },
  },
  docs: { summary: "build time of the site, Lighthouse", flags: {}, folder: "apps/docs" },
  server: {
    summary: "the service beside a bare server and Prism; unread responses; callers that wait",
    folder: "apps/server",
    flags: { only: { type: text("<parts>", "names of parts"), help: "the parts to run, separated by commas" } },
  },
} as const satisfies Readonly<Record<string, Bench>>;

await runCommand("bench", benches, async ({ command, ...values }) => {
  const bench: Bench = benches[command];
  if (bench.folder === undefined) return benchPipeline();

  const { folder, program = "bench/bench.ts" } = bench;
  const built = await turbo(["build"], ["--output-logs=errors-only", "--summarize=false", `--filter=./${folder}`]);
  if (built !== 0) return built;
  const args = [program, ...Object.entries(values).flatMap(([option, value]) => [`--${option}`, value])];
  const [code] = await once(spawn(process.execPath, args, { cwd: join(root, folder), stdio: "inherit" }), "close");
  return Number(code ?? 1);
});

/** Times the commands of a newcomer and of a maintainer in a clone of the last commit, which is removed. Prints each figure beside its goal. */
async function benchPipeline(): Promise<number> {
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
    await writeFile(contract, (await readFile(contract, "utf8")).replace("They only read:", "They read only:"));
    await time("one line of the contract edited", 10, () => pnpm("build"));
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
