/** Starts nginx in front of an HTTP server of this machine. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { debianProgram } from "./debian.ts";
import { type RunningServer, ServerProcess, type Unavailable } from "./server.ts";

/** A running nginx. */
export interface NginxServer extends RunningServer {
  readonly url: string;
  /** The folder of its cache. */
  readonly cache: string;
}

/** Starts nginx: the machine's, or Debian's. @param configuration - For a port and a folder for the cache. */
export async function startNginx(configuration: (port: number, cache: string) => string): Promise<NginxServer | Unavailable> {
  const program = await debianProgram("nginx");
  if ("reason" in program) return program;
  const server = await ServerProcess.create("nginx", { endSignal: "SIGKILL" });
  const { folder } = server;
  const file = join(folder, "nginx.conf");
  const cache = join(folder, "cache");
  // Without these, it writes to the folders of the system.
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `  ${name}_temp_path ${join(folder, name)};`,
  );
  const running = await server.run(
    async (port) => {
      const text = configuration(port, cache).replace("http {", ["http {", ...temporary].join("\n"));
      await writeFile(file, `pid ${join(folder, "pid")};\n${text}`);
      await server.launch({
        command: program.path,
        args: ["-p", folder, "-c", file, "-e", "stderr", "-g", "daemon off; master_process off;"],
        env: program.env,
        ready: () =>
          fetch(`http://127.0.0.1:${port}/healthz`).then(
            ({ ok }) => ok,
            () => false,
          ),
      });
    },
    () => mkdir(cache).then(() => {}),
  );
  return Object.assign(running, { url: `http://127.0.0.1:${running.port}`, cache });
}
