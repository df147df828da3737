/** A server in a process of its own, so that its CPU time and memory can be measured. This file is also the program of that process. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

/** The server to start: the service on a chain, Prism, or a bare node:http server that responds to every request with `bytes` bytes. */
type Role =
  | { readonly kind: "service"; readonly chain: string }
  | { readonly kind: "prism" }
  | { readonly kind: "bare"; readonly bytes: number };

/** Figures of the process: microseconds of CPU time, and bytes in use after a garbage collection. */
type Figure = "cpu" | "heap";

/** A running server. */
export interface ServerProcess extends AsyncDisposable {
  readonly url: string;
  read(figure: Figure): Promise<number>;
}

/** Starts a server. With SERVER_BENCH_PROFILE, writes CPU profiles of the service into that folder. */
export async function startServer(role: Role): Promise<ServerProcess> {
  const profile = process.env["SERVER_BENCH_PROFILE"];
  const profiling = profile === undefined || role.kind !== "service" ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`];
  const execArgv = ["--no-warnings", "--expose-gc", ...profiling];
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(role)], { execArgv });
  const url = await firstMessage(child, role.kind);
  return {
    url,
    async read(figure) {
      child.send(figure);
      const [value] = await once(child, "message");
      return Number(value);
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    },
  };
}

function firstMessage(child: ChildProcess, name: string): Promise<string> {
  return Promise.race([
    once(child, "message").then(([message]) => String(message)),
    once(child, "exit").then(([code]): never => {
      throw new Error(`${name} exited with ${code} before it listened`);
    }),
  ]);
}

interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

async function listen(role: Role): Promise<Listening> {
  if (role.kind === "bare") return listenBare(role.bytes);
  if (role.kind === "prism") return listenPrism();
  const { parseServeOptions, serve } = await import("@chain-query/server");
  const flags = ["--port", "0", "--log-level", "error", "--keyless-rate", "0", "--no-produce", "--chain", role.chain];
  return serve(parseServeOptions(flags, {}));
}

async function listenBare(bytes: number): Promise<Listening> {
  const body = Buffer.alloc(bytes, "x");
  const headers = { "content-type": "application/json; charset=utf-8", "content-length": bytes };
  // Any server reads the body of a POST.
  const listener: RequestListener = (request, response) => {
    request.resume().once("end", () => response.writeHead(200, headers).end(body));
  };
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** Prism with the settings of its own command. */
async function listenPrism(): Promise<Listening> {
  const [{ createServer }, { getHttpOperationsFromSpec }, { createLogger }] = await Promise.all([
    import("@stoplight/prism-http-server"),
    import("@stoplight/prism-http"),
    import("@stoplight/prism-core"),
  ]);
  const operations = await getHttpOperationsFromSpec(fileURLToPath(import.meta.resolve("@chain-query/openapi/openapi.json")));
  const server = createServer(operations, {
    cors: true,
    components: { logger: createLogger("prism", { enabled: false }) },
    config: {
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      errors: false,
      isProxy: false,
      upstreamProxy: undefined,
      mock: { dynamic: false },
    },
  });
  return { url: await server.listen(0, "127.0.0.1"), close: () => server.close() };
}

function readFigure(figure: Figure): number {
  if (figure === "cpu") {
    const { user, system } = process.cpuUsage();
    return user + system;
  }
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

if (import.meta.main) {
  const { url, close } = await listen(JSON.parse(process.argv[2] ?? "{}") as Role);
  process.on("message", (figure: Figure) => process.send?.(readFigure(figure)));
  process.once("disconnect", () => close().then(() => process.exit()));
  process.send?.(url);
}
