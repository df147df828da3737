/** A consumer's project in an empty folder, set up as the READMEs say, with npm, pnpm or Bun. */
import { once } from "node:events";
import { lstat, mkdir, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join, sep } from "node:path";
import { stringify } from "yaml";
import {
  end,
  machineEnvironment,
  pnpmCommand,
  type RunOptions,
  resultOf,
  run,
  runChecked,
  start,
} from "../workspace/processes.ts";

const packageNames = { client: "@chain-query/client", mock: "@chain-query/mock", conformance: "@chain-query/conformance" };
const readmeUrl = "http://127.0.0.1:4010";

/** The steps of a consumer. Each rejects if it fails. */
export interface Consumer {
  install(tag: string): Promise<void>;
  /** Installs again from the lockfile. */
  reinstall(): Promise<void>;
  /** Checks that all installed files are in the folder and that imports resolve there. */
  checkIsolation(): Promise<void>;
  /** Runs the first program of the installed client's README against the installed mock. */
  runQuickStart(): Promise<void>;
  /** Runs the installed conformance command on the installed mock. */
  checkConformance(): Promise<void>;
  /** Updates and expects these versions. */
  upgrade(versions: ReadonlyMap<string, string>): Promise<void>;
}

/** Makes the project in a new folder. Reports of install scripts go to the port `listener`. */
export async function makeConsumer(folder: string, manager: Manager, listener: number, signal: AbortSignal): Promise<Consumer> {
  await mkdir(folder, { recursive: true });
  const cwd = await realpath(folder);
  // A consumer has not opted out of telemetry.
  const { DO_NOT_TRACK: _, ...env } = { ...machineEnvironment(), ...manager.env(`${cwd}-cache`) };
  const here: RunOptions = { cwd, env: { ...env, SCARF_LOCAL_PORT: String(listener) }, signal };
  await writeFile(join(cwd, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  for (const [name, text] of Object.entries(manager.files)) await writeFile(join(cwd, name), text);

  return {
    async install(tag) {
      await runChecked(manager.add(Object.values(packageNames).map((name) => `${name}@${tag}`)), here);
    },
    async reinstall() {
      await rm(join(cwd, "node_modules"), { recursive: true });
      await runChecked(manager.again, here);
    },
    async checkIsolation() {
      await refuseLinksOutOf(cwd);
      const program = `for (const name of ${JSON.stringify(Object.values(packageNames))}) console.log(import.meta.resolve(name));\n`;
      await writeFile(join(cwd, "resolve.ts"), program);
      const found = (await runChecked(manager.run("resolve.ts"), here)).trim().split("\n");
      const outside = found.filter((url) => !decodeURIComponent(url).startsWith(`file://${cwd}${sep}`));
      if (outside.length > 0) throw new Error(`found outside of ${cwd}: ${outside.join(", ")}`);
    },
    async runQuickStart() {
      const readme = await readFile(join(cwd, "node_modules", packageNames.client, "README.md"), "utf8");
      const [, program = "", printed] = /^```ts\n(.*?)^```\n\n```text\n(.*?)^```$/ms.exec(readme) ?? [];
      if (!program.includes(readmeUrl)) throw new Error(`the README's first program does not ask ${readmeUrl}`);
      await withMock(manager, here, async (url) => {
        await writeFile(join(cwd, "quick-start.ts"), program.replaceAll(readmeUrl, url));
        const output = await runChecked(manager.run("quick-start.ts"), here);
        if (output !== printed) throw new Error(`the README's first program: expected\n${printed}got\n${output}`);
      });
    },
    async checkConformance() {
      await withMock(manager, here, async (url) => {
        const command = manager.execute(packageNames.conformance, "chain-query-conformance", [url]);
        const { code, output } = await run(command, here);
        if (code !== 0 || !/: [1-9]\d* passed, 0 failed/.test(output)) throw new Error(`ended with ${code}:\n${output}`);
      });
    },
    async upgrade(versions) {
      await runChecked(manager.update, here);
      for (const name of Object.values(packageNames)) {
        const { version } = JSON.parse(await readFile(join(cwd, "node_modules", name, "package.json"), "utf8"));
        if (version !== versions.get(name))
          throw new Error(`${name} is ${version} after the update, not ${versions.get(name)}`);
      }
    },
  };
}

/** Runs the installed mock during the work. */
async function withMock(manager: Manager, here: RunOptions, work: (url: string) => Promise<void>): Promise<void> {
  const mock = start(manager.execute(packageNames.mock, "chain-query-mock", ["--port", "0", "--quiet"]), here);
  const url = Promise.withResolvers<string>();
  const ended = resultOf(mock, (output) => {
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
    if (found !== undefined) url.resolve(found);
  });
  ended.then(({ code, output }) => url.reject(new Error(`the mock ended with ${code}:\n${output}`)), url.reject);
  try {
    await work(await url.promise);
  } finally {
    end(mock);
    await ended.catch(() => {});
  }
}

async function refuseLinksOutOf(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!(await lstat(path)).isSymbolicLink()) continue;
    const target = await realpath(path);
    if (!target.startsWith(folder + sep)) throw new Error(`${path} leads out of the folder, to ${target}`);
  }
}

/** The commands of one package manager. */
interface Manager {
  name: string;
  /** Files of the consumer's project in addition to package.json. */
  files: Readonly<Record<string, string>>;
  /** Puts its cache into the temporary folder. */
  env(cache: string): Record<string, string>;
  add(packages: readonly string[]): readonly string[];
  /** Installs from the lockfile. */
  again: readonly string[];
  update: readonly string[];
  /** Runs the command of an installed package. */
  execute(name: string, command: string, args: readonly string[]): readonly string[];
  /** Runs a program of the project. */
  run(file: string): readonly string[];
}

/** npm, pnpm and the Bun that is installed in `bun`, with the packages of `scope` from `registry`. */
export function managers(bun: string, scope: string, registry: string): Manager[] {
  const npmrc = { ".npmrc": `${scope}:registry=${registry}\n` };
  const pnpm = pnpmCommand();
  const bunx = join(bun, "node_modules/.bin/bun");
  return [
    {
      name: "npm",
      files: npmrc,
      env: (cache) => ({ npm_config_cache: cache }),
      add: (packages) => ["npm", "install", "--no-audit", "--no-fund", ...packages],
      again: ["npm", "ci", "--no-audit", "--no-fund"],
      update: ["npm", "update", "--no-audit", "--no-fund"],
      // As the README of the mock says.
      execute: (name, _, args) => ["npx", name, ...args],
      run: (file) => [process.execPath, file],
    },
    {
      name: "pnpm",
      files: { ...npmrc, "pnpm-workspace.yaml": stringify(pnpmSettings(scope)) },
      env: (cache) => ({ pnpm_config_store_dir: join(cache, "store"), pnpm_config_cache_dir: cache }),
      add: (packages) => [...pnpm, "add", ...packages],
      again: [...pnpm, "install", "--frozen-lockfile"],
      update: [...pnpm, "update"],
      execute: (_, command, args) => [...pnpm, "exec", command, ...args],
      run: (file) => [process.execPath, file],
    },
    {
      name: "bun",
      files: npmrc,
      env: (cache) => ({ BUN_INSTALL_CACHE_DIR: cache }),
      add: (packages) => [bunx, "add", ...packages],
      again: [bunx, "install", "--frozen-lockfile"],
      update: [bunx, "update"],
      execute: (_, command, args) => [bunx, "run", command, ...args],
      run: (file) => [bunx, "--no-install", file],
    },
  ];
}

/** pnpm refuses versions that are younger than a day. */
function pnpmSettings(scope: string): unknown {
  return { minimumReleaseAgeExclude: [`${scope}/*`] };
}

/** A server in the place of the one to which install scripts report. It counts connections. */
interface Listener extends AsyncDisposable {
  port: number;
  calls(): number;
}

/** Listens on a free port of this machine. */
export async function startListener(): Promise<Listener> {
  let calls = 0;
  const server: Server = createServer((_, response) => response.end());
  server.on("connection", () => calls++);
  // By name, because the scripts call localhost.
  await once(server.listen(0, "localhost"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    calls: () => calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
