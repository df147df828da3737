/** The rows of the program in Node.js, Bun, Deno, workerd, Chromium and WebKit. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { cacheFolder } from "@chain-query/testing/cache";
import { end } from "@chain-query/testing/processes";
import { freePort, sharedBrowser } from "@chain-query/testing/services";
import { until } from "@chain-query/testing/until";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { bun, deno, nodes, workerd } from "./cache.ts";
import { firstLine, type Row, row } from "./command.ts";
import { checkReport } from "./consumer.ts";

interface Runtime {
  name: string;
  version: string;
  args: readonly string[];
  programs: Readonly<Record<string, string>>;
  env?: Record<string, string>;
}

const programs = { import: "import.js", "require()": "require.cjs" };

const runtimes: readonly Runtime[] = [
  // The flag is the default of the oldest versions of 20 and 22: require() takes CommonJS modules only.
  ...nodes.map((version) => ({ name: "node", version, args: ["--no-experimental-require-module"], programs })),
  { name: "bun", version: bun, args: ["--no-install"], programs },
  {
    name: "deno",
    version: deno,
    // Permissions: only the network, and reading its own modules.
    args: ["run", "--quiet", "--no-prompt", "--node-modules-dir=manual", "--allow-net=127.0.0.1", "--allow-read"],
    programs: { import: "import-portable.js", "require()": "require.cjs" },
    env: { DENO_DIR: join(cacheFolder(), "deno-dir"), DENO_NO_UPDATE_CHECK: "1" },
  },
];

/** Each runtime by `import` and by `require()`. */
export function runtimeRows(project: string): Row[] {
  return runtimes.flatMap(({ name, version, args, programs, env = {} }) =>
    Object.entries(programs).map(([what, file]) =>
      row(name, version, what, async ({ installed, run }) => {
        const program = await installed(`${name}-${version}`, { [name]: version }, `.bin/${name}`);
        checkReport(await run(program, [...args, join(project, file)], { env }));
      }),
    ),
  );
}

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
export default { fetch: async () => Response.json(await program(true)) };
`;

export function workerdRow(project: string): Row {
  return row("workerd", workerd, "import, bundled", async ({ installed, start, signal }) => {
    await build({
      stdin: { contents: worker, resolveDir: project },
      bundle: true,
      format: "esm",
      target: "es2022",
      conditions: ["workerd", "worker"],
      outfile: join(project, "worker.js"),
    });
    await writeFile(join(project, "workerd.capnp"), config);
    const program = await installed(`workerd-${workerd}`, { workerd }, ".bin/workerd");
    const server = start(program, ["serve", "workerd.capnp", "--control-fd=1"]);
    try {
      let stderr = "";
      server.stderr?.setEncoding("utf8").on("data", (text: string) => {
        stderr += text;
      });
      const port = await Promise.race([
        listeningPort(server.stdout ?? process.stdin),
        once(server, "close").then(() => Promise.reject(new Error(`workerd ended before it listened:\n${stderr}`))),
      ]);
      const limit = AbortSignal.any([signal, AbortSignal.timeout(300_000)]);
      const response = await fetch(`http://127.0.0.1:${port}/`, { signal: limit });
      const report = await response.text();
      if (!response.ok) throw new Error(`${report}\n${stderr}`);
      checkReport(report);
    } finally {
      end(server);
    }
  });
}

/** workerd writes a line of JSON for each socket that it opens. */
async function listeningPort(control: NodeJS.ReadableStream): Promise<number> {
  for await (const line of createInterface(control)) {
    const { event, port } = JSON.parse(line) as { event?: string; port?: number };
    if (event === "listen" && port !== undefined) return port;
  }
  throw new Error("workerd reported no port");
}

const page = `import program from "./bundled.js";
globalThis.report = program(false).then(JSON.stringify);
`;

/** Serves a page with the bundled program, whose report is `globalThis.report`. */
async function servePage(project: string): Promise<AsyncDisposable & { url: string }> {
  const { outputFiles } = await build({
    stdin: { contents: page, resolveDir: project },
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  const script = outputFiles[0]?.text ?? "";
  const server = createServer(({ url }, response) => {
    const isScript = url === "/page.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : '<!doctype html><script type="module" src="page.js"></script>');
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export function chromiumRow(project: string): Row {
  return row("chromium", "", "import, bundled", async () => {
    await using served = await servePage(project);
    const browser = await chromium.connect(await sharedBrowser());
    try {
      const tab = await browser.newPage();
      await tab.goto(served.url);
      checkReport(await tab.evaluate<string>("globalThis.report"));
    } finally {
      await browser.close();
    }
  });
}

/** WebKit as Debian has it, on a screen in memory: the engine of Safari, with the network of Linux. */
export function webkitRow(project: string): Row {
  return row("webkit", "", "import, bundled", async ({ start, signal, skip }) => {
    const programs = ["/usr/bin/WebKitWebDriver", "/usr/bin/Xvfb"] as const;
    if (!programs.every((program) => existsSync(program))) skip(`${programs.join(" or ")} is not installed`);
    await using served = await servePage(project);
    const port = await freePort();
    const screen = start(programs[1], ["-displayfd", "1"]);
    const display = await firstLine(screen);
    const driver = start(programs[0], [`--port=${port}`], { env: { DISPLAY: `:${display}` } });
    const send = async <Value>(path: string, body: object): Promise<Value> => {
      const init = { method: "POST", body: JSON.stringify(body), signal };
      const response = await fetch(`http://127.0.0.1:${port}/session${path}`, init);
      const { value } = (await response.json()) as { value: Value };
      if (!response.ok) throw new Error(JSON.stringify(value));
      return value;
    };
    try {
      await until(
        () => fetch(`http://127.0.0.1:${port}/status`, { signal }).then(({ ok }) => ok, String),
        (state) => state === true,
      );
      const { sessionId } = await send<{ sessionId: string }>("", { capabilities: {} });
      await send(`/${sessionId}/url`, { url: served.url });
      const script = "globalThis.report.then(arguments[0], (error) => arguments[0](String(error)));";
      checkReport(await send<string>(`/${sessionId}/execute/async`, { script, args: [] }));
    } finally {
      end(driver);
      end(screen);
    }
  });
}
