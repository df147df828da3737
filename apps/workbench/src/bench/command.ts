/** `pnpm bench NAME`: measures and prints. Only the soak test and the fuzz fail if something is wrong. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseFlags, root, runCommand, UsageError } from "../workspace/command-line.ts";
import { turbo } from "../workspace/turbo.ts";

interface Bench {
  readonly about: string;
  /** The package whose bench it is; the pipeline belongs to none. */
  readonly folder?: string;
  readonly program?: string;
  readonly hasParts?: true;
  /** Whether `--minutes` and `--seed` apply. */
  readonly isSoak?: true;
}

const benches: Readonly<Record<string, Bench>> = {
  client: {
    about: "size of the client beside others, time per call, a thousand calls at once",
    folder: "packages/client",
    program: "bench/run.ts",
  },
  pipeline: { about: "fresh clone to eight answers, check cold and warm, one line of the contract edited" },
  mock: { about: "requests per second of the mock beside Prism alone, start time", folder: "packages/mock" },
  "local-chain": {
    about: "blocks beside the virtual machine alone, cost by the number of accounts, reads, memory",
    folder: "packages/local-chain",
  },
  docs: { about: "build time of the site, size of its pages, Lighthouse", folder: "apps/docs" },
  server: {
    about: "the service beside a bare server and Prism, latency, workers, scale, start, faults, fuzz (--only names parts)",
    folder: "apps/server",
    hasParts: true,
  },
  soak: {
    about:
      "two workers for an hour (--minutes) under load, kills and slow clients at random (--seed): memory, descriptors, head",
    folder: "apps/server",
    program: "bench/soak.ts",
    isSoak: true,
  },
};

await runCommand(async () => {
  const { values, positionals } = parseFlags({
    options: {
      help: { type: "boolean", short: "h", default: false },
      only: { type: "string" },
      minutes: { type: "string" },
      seed: { type: "string" },
    },
    allowPositionals: true,
  });
  if (values.help) {
    const names = Object.entries(benches).map(([name, { about }]) => `  ${name.padEnd(12)} ${about}`);
    console.log(["Measures and prints. pnpm bench NAME, where NAME is", "", ...names].join("\n"));
    return 0;
  }
  const [name = "", ...rest] = positionals;
  const bench = benches[name];
  if (bench === undefined || rest.length > 0) {
    throw new UsageError(`bench "${positionals.join(" ")}": expected one of ${Object.keys(benches).join(", ")}`);
  }
  if (values.only !== undefined && !bench.hasParts) throw new UsageError(`bench ${name}: --only: it has no parts`);
  const { minutes, seed } = values;
  if (!bench.isSoak && (minutes ?? seed) !== undefined)
    throw new UsageError(`bench ${name}: --minutes and --seed are options of bench soak`);
  if (bench.folder === undefined) return (await import("./pipeline.ts")).benchPipeline();

  const built = await turbo(["build"], ["--output-logs=errors-only", "--summarize=false", `--filter=./${bench.folder}`]);
  if (built !== 0) return built;
  const options = Object.entries({ only: values.only, minutes, seed });
  const flags = options.flatMap(([option, value]) => (value === undefined ? [] : [`--${option}`, value]));
  const args = [bench.program ?? "bench/bench.ts", ...flags];
  const [code] = await once(spawn(process.execPath, args, { cwd: join(root, bench.folder), stdio: "inherit" }), "close");
  return Number(code ?? 1);
});
