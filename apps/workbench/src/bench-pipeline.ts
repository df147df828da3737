/** Times the pipeline as a newcomer and a maintainer meet it, in a clone of the last commit. */
import { spawn } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { root } from "./workspace/command.ts";
import { namedPnpm } from "./workspace/pnpm.ts";

const [npx = "", ...pnpm] = namedPnpm;

/** What a newcomer's shell has: nothing of the run that this bench is part of. */
const env = Object.fromEntries(
  Object.entries(process.env)
    .filter(([name]) => !/^(npm_|pnpm_|node_path$|init_cwd$)/i.test(name))
    .map(([name, value]) => [
      name,
      name === "PATH"
        ? value
            ?.split(delimiter)
            .filter((entry) => !entry.includes("node_modules"))
            .join(delimiter)
        : value,
    ]),
);

/** Prints each figure beside its goal; the clone is removed whatever happens. */
export async function benchPipeline(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "chain-query-bench-"));
  const clone = join(folder, "clone");
  try {
    const first = await seconds(async () => {
      await run("git", ["clone", "--quiet", root, clone], root);
      await run(npx, [...pnpm, "start", "--once", "--port", "0", "--docs-port", "0"], clone);
    });
    print("fresh clone to eight answers", first, 90);

    // What the first start built is forgotten; what it installed stays.
    for (const made of globSync("{.,openapi,packages/*,apps/*}/{dist,.reports,.turbo}", { cwd: clone })) {
      await rm(join(clone, made), { recursive: true });
    }
    print("pnpm check, cold", await seconds(() => run(npx, [...pnpm, "check"], clone)), 60);
    print("pnpm check, nothing changed", await seconds(() => run(npx, [...pnpm, "check"], clone)), 2);

    const contract = join(clone, "openapi/openapi.yaml");
    await writeFile(contract, (await readFile(contract, "utf8")).replace("All of them only read.", "All of them read only."));
    print("one line of the contract edited", await seconds(() => run(npx, [...pnpm, "build"], clone)), 10);
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function print(what: string, took: number, goal: number): void {
  console.log(`${what.padEnd(34)} ${took.toFixed(1).padStart(6)} s   goal ≤ ${goal} s`);
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** Ends with an error that holds the command's last lines where it fails. */
function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-4000);
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args.join(" ")} ended with ${code}:\n${output}`)),
    );
  });
}
