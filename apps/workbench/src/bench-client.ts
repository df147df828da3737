/** Builds the client and runs its own bench. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { turbo } from "./workspace/turbo.ts";

/** Resolves to the exit code of the build where that fails, else to that of the bench. */
export async function benchClient(): Promise<number> {
  const built = await turbo(["build"], ["--filter=@chain-query/client...", "--output-logs=errors-only"]);
  if (built !== 0) return built;
  const client = dirname(createRequire(import.meta.url).resolve("@chain-query/client/package.json"));
  const bench = spawn(process.execPath, [join(client, "bench/run.ts")], { stdio: "inherit" });
  return new Promise((resolve, reject) => {
    bench.once("error", reject);
    bench.once("exit", (code, signal) => resolve(code ?? (signal === "SIGINT" ? 130 : 1)));
  });
}
