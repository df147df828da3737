/** `pnpm bench NAME`: measures and prints. Only the soak test and the fuzz fail if something is wrong. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Flags, text } from "@chain-query/command-line";
import { runCommand } from "../workspace/command-line.ts";
import { root } from "../workspace/packages.ts";
import { turbo } from "../workspace/turbo.ts";

interface Bench {
  readonly summary: string;
  /** The package whose bench it is; the pipeline belongs to none. */
  readonly folder?: string;
  readonly program?: string;
  readonly flags: Flags;
}

const benches = {
  client: {
    summary: "size of the client beside others, time per call, a thousand calls at once",
    flags: {},
    folder: "packages/client",
    program: "bench/run.ts",
  },
  pipeline: { summary: "fresh clone to eight answers, check cold and warm, one line of the contract edited", flags: {} },
  mock: {
    summary: "install, first answer and requests per second of the mock beside Prism alone",
    flags: {},
    folder: "packages/mock",
  },
  "local-chain": {
    summary: "blocks beside the virtual machine alone, cost by the number of accounts, reads, memory",
    flags: {},
    folder: "packages/local-chain",
  },
  lite: {
    summary: "queries per second beside ton-lite-client, and 100,000 malformed frames",
    folder: "packages/lite-client",
    flags: { only: { type: text("<parts>", "names of parts"), help: "the parts to run, separated by commas" } },
  },
  docs: { summary: "build time of the site, size of its pages, Lighthouse", flags: {}, folder: "apps/docs" },
  server: {
    summary: "the service beside a bare server and Prism, latency, workers, scale, start, faults, fuzz",
    folder: "apps/server",
    flags: { only: { type: text("<parts>", "names of parts"), help: "the parts to run, separated by commas" } },
  },
  soak: {
    summary: "two workers under load, kills and slow clients at random: memory, descriptors, head",
    folder: "apps/server",
    program: "bench/soak.ts",
    flags: {
      minutes: { type: text("<n>", "a number of minutes"), help: "how long, instead of an hour" },
      seed: { type: text("<n>", "a number"), help: "of the random choices" },
    },
  },
} as const satisfies Readonly<Record<string, Bench>>;

await runCommand("bench", benches, async ({ command, ...values }) => {
  const bench: Bench = benches[command];
  if (bench.folder === undefined) return (await import("./pipeline.ts")).benchPipeline();

  const built = await turbo(["build"], ["--output-logs=errors-only", "--summarize=false", `--filter=./${bench.folder}`]);
  if (built !== 0) return built;
  const flags = Object.entries(values).flatMap(([option, value]) => [`--${option}`, value]);
  const args = [bench.program ?? "bench/bench.ts", ...flags];
  const [code] = await once(spawn(process.execPath, args, { cwd: join(root, bench.folder), stdio: "inherit" }), "close");
  return Number(code ?? 1);
});
