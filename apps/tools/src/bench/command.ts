/** `pnpm bench NAME`: measures and prints. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Flags, text } from "@chain-query/command-line";
import { runCommand } from "../workspace/command-line.ts";
import { root } from "../workspace/packages.ts";
import { turbo } from "../workspace/processes.ts";

interface Bench {
  readonly summary: string;
  /** The package of the bench. */
  readonly folder: string;
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
  const { folder, program = "bench/bench.ts" }: Bench = benches[command];
  const built = await turbo(["build"], ["--output-logs=errors-only", "--summarize=false", `--filter=./${folder}`]);
  if (built !== 0) return built;
  const args = [program, ...Object.entries(values).flatMap(([option, value]) => [`--${option}`, value])];
  const [code] = await once(spawn(process.execPath, args, { cwd: join(root, folder), stdio: "inherit" }), "close");
  return Number(code ?? 1);
});
