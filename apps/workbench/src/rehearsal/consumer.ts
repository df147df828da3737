/** A consumer's project in an empty folder, set up as the READMEs say. */
import { lstat, mkdir, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { machineEnvironment } from "./environment.ts";
import type { Manager } from "./managers.ts";
import { end, must, run, type Surroundings, start } from "./processes.ts";

const wanted = { client: "@chain-query/client", mock: "@chain-query/mock", conformance: "@chain-query/conformance" };
const readmeUrl = "http://127.0.0.1:4010";

/** The steps of a consumer. Each rejects if it fails. */
export interface Consumer {
  install(tag: string): Promise<void>;
  /** Installs again from the lockfile. */
  installAgain(): Promise<void>;
  /** Checks that all installed files are in the folder and that imports resolve there. */
  isAlone(): Promise<void>;
  /** Runs the first program of the installed client's README against the installed mock. */
  quickStart(): Promise<void>;
  /** Runs the installed conformance command on the installed mock. */
  judge(): Promise<void>;
  /** Updates and expects these versions. */
  upgrade(versions: ReadonlyMap<string, string>): Promise<void>;
}

/** Makes the project in a new folder. Reports of install scripts go to the port `listener`. */
export async function makeConsumer(folder: string, manager: Manager, listener: number, signal: AbortSignal): Promise<Consumer> {
  await mkdir(folder, { recursive: true });
  const cwd = await realpath(folder);
  // A consumer has not opted out of telemetry.
  const { DO_NOT_TRACK: _, ...env } = { ...machineEnvironment(), ...manager.env(`${cwd}-cache`) };
  const here: Surroundings = { cwd, env: { ...env, SCARF_LOCAL_PORT: String(listener) }, signal };
  await writeFile(join(cwd, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  for (const [name, text] of Object.entries(manager.files)) await writeFile(join(cwd, name), text);

  return {
    async install(tag) {
      await must(manager.add(Object.values(wanted).map((name) => `${name}@${tag}`)), here);
    },
    async installAgain() {
      await rm(join(cwd, "node_modules"), { recursive: true });
      await must(manager.again, here);
    },
    async isAlone() {
      await refuseLinksOutOf(cwd);
      const program = `for (const name of ${JSON.stringify(Object.values(wanted))}) console.log(import.meta.resolve(name));\n`;
      await writeFile(join(cwd, "resolve.ts"), program);
      const found = (await must(manager.run("resolve.ts"), here)).trim().split("\n");
      const outside = found.filter((url) => !decodeURIComponent(url).startsWith(`file://${cwd}${sep}`));
      if (outside.length > 0) throw new Error(`found outside of ${cwd}: ${outside.join(", ")}`);
    },
    async quickStart() {
      const readme = await readFile(join(cwd, "node_modules", wanted.client, "README.md"), "utf8");
      const [, program = "", printed] = /^```ts\n(.*?)^```\n\n```text\n(.*?)^```$/ms.exec(readme) ?? [];
      if (!program.includes(readmeUrl)) throw new Error(`the README's first program does not ask ${readmeUrl}`);
      await withMock(manager, here, async (url) => {
        await writeFile(join(cwd, "quick-start.ts"), program.replaceAll(readmeUrl, url));
        const output = await must(manager.run("quick-start.ts"), here);
        if (output !== printed) throw new Error(`the README's first program: expected\n${printed}got\n${output}`);
      });
    },
    async judge() {
      await withMock(manager, here, async (url) => {
        const command = manager.execute(wanted.conformance, "chain-query-conformance", [url]);
        const { code, output } = await run(command, here);
        if (code !== 0 || !/: [1-9]\d* passed, 0 failed/.test(output)) throw new Error(`ended with ${code}:\n${output}`);
      });
    },
    async upgrade(versions) {
      await must(manager.update, here);
      for (const name of Object.values(wanted)) {
        const { version } = JSON.parse(await readFile(join(cwd, "node_modules", name, "package.json"), "utf8"));
        if (version !== versions.get(name))
          throw new Error(`${name} is ${version} after the update, not ${versions.get(name)}`);
      }
    },
  };
}

/** Runs the installed mock during the work. */
async function withMock(manager: Manager, here: Surroundings, work: (url: string) => Promise<void>): Promise<void> {
  const mock = start(manager.execute(wanted.mock, "chain-query-mock", ["--port", "0", "--quiet"]), here);
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let output = "";
      for (const stream of [mock.stdout, mock.stderr]) {
        stream?.setEncoding("utf8").on("data", (text: string) => {
          output += text;
          const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
          if (found !== undefined) resolve(found);
        });
      }
      mock.once("error", reject);
      mock.once("close", (code) => reject(new Error(`the mock ended with ${code}:\n${output}`)));
    });
    await work(url);
  } finally {
    const gone = new Promise((resolve) => mock.once("close", resolve));
    const running = mock.exitCode === null && mock.signalCode === null;
    end(mock);
    if (running) await gone;
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
