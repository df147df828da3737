/** Runs the program in workerd, the runtime of Cloudflare Workers: no Node.js, no `eval`, and its own rules for `fetch`. */
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { installed } from "./cache.ts";
import { killGroup, start } from "./command.ts";
import { judge } from "./consumer.ts";
import type { Row } from "./rows.ts";
import { workerd } from "./versions.ts";

const config = `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .mainWorker),
    (name = "loopback", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const mainWorker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-11-01",
  globalOutbound = "loopback",
);
`;

const worker = `import program from "./bundled.js";
export default { fetch: async () => Response.json(await program()) };
`;

export function workerdRow(project: string, signal: AbortSignal): Row {
  return {
    runtime: "workerd",
    version: workerd,
    what: "import, bundled",
    async prove() {
      await build({
        stdin: { contents: worker, resolveDir: project },
        bundle: true,
        format: "esm",
        target: "es2022",
        conditions: ["workerd", "worker"],
        outfile: join(project, "worker.js"),
      });
      await writeFile(join(project, "workerd.capnp"), config);
      const folder = await installed(`workerd-${workerd}`, { workerd }, signal);
      const program = join(folder, "node_modules/.bin/workerd");
      const server = start(program, ["serve", "workerd.capnp", "--control-fd=1"], { cwd: project, signal });
      try {
        let stderr = "";
        server.stderr?.setEncoding("utf8").on("data", (text: string) => {
          stderr += text;
        });
        const port = await Promise.race([
          listeningPort(server.stdout ?? process.stdin),
          once(server, "close").then(() => Promise.reject(new Error(`workerd ended before it listened:\n${stderr}`))),
        ]);
        const answer = await fetch(`http://127.0.0.1:${port}/`, {
          signal: AbortSignal.any([signal, AbortSignal.timeout(60_000)]),
        });
        const report = await answer.text();
        if (!answer.ok) throw new Error(`${report}\n${stderr}`);
        judge(report);
      } finally {
        killGroup(server);
      }
    },
  };
}

/** workerd writes a line of JSON for each socket that it opens. */
async function listeningPort(control: NodeJS.ReadableStream): Promise<number> {
  for await (const line of createInterface(control)) {
    const { event, port } = JSON.parse(line) as { event?: string; port?: number };
    if (event === "listen" && port !== undefined) return port;
  }
  throw new Error("workerd reported no port");
}
