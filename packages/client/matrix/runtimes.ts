/** Runs the program in Node.js, Bun and Deno. */
import { join } from "node:path";
import { cacheFolder, installed } from "./cache.ts";
import { run } from "./command.ts";
import { judge } from "./consumer.ts";
import type { Row } from "./rows.ts";
import { bun, deno, nodes } from "./versions.ts";

interface Runtime {
  name: string;
  version: string;
  args: readonly string[];
  programs: Readonly<Record<string, string>>;
  env?: Record<string, string>;
}

const programs = { import: "import.js", "require()": "require.cjs" };

const runtimes: readonly Runtime[] = [
  ...nodes.map((version) => ({ name: "node", version, args: [], programs })),
  { name: "bun", version: bun, args: ["--no-install"], programs },
  {
    name: "deno",
    version: deno,
    // Permissions: only the network, and reading its own modules.
    args: ["run", "--quiet", "--no-prompt", "--node-modules-dir=manual", "--allow-net=127.0.0.1", "--allow-read"],
    programs: { import: "import-portable.js", "require()": "require-portable.cjs" },
    env: { DENO_DIR: join(cacheFolder(), "deno-dir"), DENO_NO_UPDATE_CHECK: "1" },
  },
];

/** Each runtime by `import` and by `require()`. */
export function runtimeRows(project: string, signal: AbortSignal): Row[] {
  return runtimes.flatMap(({ name, version, args, programs, env = {} }) =>
    Object.entries(programs).map(([what, file]) => ({
      runtime: name,
      version,
      what,
      async prove() {
        const folder = await installed(`${name}-${version}`, { [name]: version }, signal);
        const program = join(folder, "node_modules/.bin", name);
        judge(await run(program, [...args, join(project, file)], { cwd: project, signal, env }));
      },
    })),
  );
}
