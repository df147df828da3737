/** Commands of the guides as a test runs them: npx and npm know this workspace's packages, and a mock is stopped when it is up. */
import { execFile, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Puts an npx and an npm into a folder, for a PATH that begins with it. */
export function writeCommands(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of ["npx", "npm"]) {
    const script = `#!/bin/sh\nexec '${process.execPath}' '${fileURLToPath(import.meta.url)}' ${name} "$@"\n`;
    writeFileSync(join(folder, name), script);
    chmodSync(join(folder, name), 0o755);
  }
}

/** Runs a shell block as it stands and gives what it printed on both streams. */
export async function runShell(code: string, commands: string, folder: string): Promise<string> {
  const env = { ...process.env, PATH: `${commands}:${process.env["PATH"]}` };
  const { stdout, stderr } = await run("bash", ["--norc", "-euo", "pipefail", "-c", code], { cwd: folder, env });
  return (stdout + stderr).replaceAll("\r", "");
}

/** Takes a package of this workspace by its name, as a guide would take it from the registry. */
function packageOf(name: string): { folder: string; bin: Record<string, string> } {
  const manifest = fileURLToPath(import.meta.resolve(`${name}/package.json`));
  const { bin = {} }: { bin?: Record<string, string> } = JSON.parse(readFileSync(manifest, "utf8"));
  return { folder: dirname(manifest), bin };
}

async function main([command, ...args]: string[]): Promise<void> {
  if (command === "npm") {
    const [verb, ...rest] = args;
    if (verb !== "install") throw new Error(`npm ${verb} is not what a guide does`);
    // The msw that the guides install beside ours is this package's own dependency.
    for (const name of rest.filter((word) => !word.startsWith("-")))
      import.meta.resolve(name === "vitest" ? name : `${name}/package.json`);
    return;
  }
  const [name = "", ...flags] = args;
  const { folder, bin } = packageOf(name);
  const program = join(folder, Object.values(bin)[0] ?? "");
  if (name !== "@chain-query/mock") {
    const { status } = await import("node:child_process").then(({ spawnSync }) =>
      spawnSync(process.execPath, [program, ...flags], { stdio: "inherit" }),
    );
    process.exitCode = status ?? 1;
    return;
  }
  await untilItIsUp([program, ...flags, "--port", "0"]);
}

/** A mock stays up for ever; its first words are what a guide can show. */
async function untilItIsUp(command: string[]): Promise<void> {
  const mock = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  for await (const part of mock.stdout) {
    said += part;
    if (said.includes("tryLocateSourceTx")) break;
  }
  mock.kill("SIGINT");
  process.stdout.write(said.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "http://127.0.0.1:4010"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
