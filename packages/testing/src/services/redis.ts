/** Starts Redis servers. */
import { debianProgram } from "./debian.ts";
import { type RunningServer, ServerProcess, type Unavailable } from "./server.ts";

/** A Redis server on a free port of 127.0.0.1 without persistence. */
export interface RedisServer extends RunningServer {
  readonly url: string;
}

/** Options of `startRedis`. */
export interface RedisOptions {
  /** Starts the only node of a cluster, without slots. */
  readonly isCluster?: boolean;
}

/** Starts a Redis server: the machine's, or Debian's. */
export async function startRedis(options: RedisOptions = {}): Promise<RedisServer | Unavailable> {
  const program = await debianProgram("redis-server");
  if ("reason" in program) return program;
  const server = await ServerProcess.create("redis", { endSignal: "SIGKILL" });
  const { isCluster = false } = options;
  const running = await server.run((port) =>
    server.launch({
      command: program.path,
      args: [
        ...["--port", String(port), "--bind", "127.0.0.1", "--dir", server.folder, "--save", "", "--appendonly", "no"],
        ...(isCluster ? ["--cluster-enabled", "yes"] : []),
      ],
      env: program.env,
      ready: async ({ log }) => log.includes("Ready to accept connections"),
    }),
  );
  return Object.assign(running, { url: `redis://127.0.0.1:${running.port}` });
}
