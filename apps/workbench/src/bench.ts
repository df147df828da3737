/** `pnpm bench NAME`: measures and prints; nothing here asserts. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseFlags, root, runCommand, UsageError } from "./workspace/command.ts";
import { turbo } from "./workspace/turbo.ts";

const benches: Record<string, { about: string; hasParts?: true; run: (only: string[]) => Promise<number> }> = {
  client: {
    about: "size of the client beside others, time per call, a thousand calls at once",
    run: async () => (await import("./bench-client.ts")).benchClient(),
  },
  pipeline: {
    about: "fresh clone to eight answers, check cold and warm, one line of the contract edited",
    run: async () => (await import("./bench-pipeline.ts")).benchPipeline(),
  },
  mock: {
    about: "requests per second of the mock beside Prism alone, and how long the mock takes to start",
    run: () => benchOf("packages/mock"),
  },
  "local-chain": {
    about: "blocks beside the virtual machine alone, cost by the number of accounts, reads, memory",
    run: () => benchOf("packages/local-chain"),
  },
  docs: {
    about: "how long the site takes to build, what its pages weigh, and what Lighthouse says of them",
    run: () => benchOf("apps/docs"),
  },
  server: {
    about: "the service beside a bare server and Prism, latency, workers, scale, start, faults, fuzz (--only names parts)",
    hasParts: true,
    run: (only) => benchOf("apps/server", only),
  },
};
const accepted = Object.entries(benches).map(([name, { about }]) => `  ${name.padEnd(12)} ${about}`);

await runCommand(async () => {
  const { values, positionals } = parseFlags({
    options: { help: { type: "boolean", short: "h", default: false }, only: { type: "string" } },
    allowPositionals: true,
  });
  if (values.help) {
    console.log(["Measures and prints. pnpm bench NAME, where NAME is", "", ...accepted].join("\n"));
    return 0;
  }
  const [name = "", ...rest] = positionals;
  const bench = benches[name];
  if (bench === undefined || rest.length > 0) {
    throw new UsageError(`bench "${positionals.join(" ")}": one of ${Object.keys(benches).join(", ")} is accepted`);
  }
  if (values.only !== undefined && bench.hasParts === undefined)
    throw new UsageError(`bench ${name}: it has no parts for --only`);
  return bench.run(values.only === undefined ? [] : ["--only", values.only]);
});

/** A package's own bench, once the package is built. */
async function benchOf(folder: string, args: readonly string[] = []): Promise<number> {
  const built = await turbo(["build"], ["--output-logs=errors-only", "--summarize=false", `--filter=./${folder}`]);
  if (built !== 0) return built;
  const [code] = await once(
    spawn(process.execPath, ["bench/bench.ts", ...args], { cwd: join(root, folder), stdio: "inherit" }),
    "close",
  );
  return Number(code ?? 1);
}
