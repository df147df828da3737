/** Runs the commands of the guides: npx and npm use the packages of this workspace, and a mock stops after its start-up message. */
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Writes npx and npm into a folder, which goes first into PATH. */
export function writeCommands(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of ["npx", "npm"]) {
    const script = `#!/bin/sh\nexec '${process.execPath}' '${fileURLToPath(import.meta.url)}' ${name} "$@"\n`;
    writeFileSync(join(folder, name), script);
    chmodSync(join(folder, name), 0o755);
  }
}

/** Runs a shell block. Returns stdout and stderr. */
export async function runShell(code: string, commands: string, folder: string): Promise<string> {
  const env = { ...process.env, PATH: `${commands}:${process.env["PATH"]}` };
  const { stdout, stderr } = await run("bash", ["--norc", "-euo", "pipefail", "-c", code], { cwd: folder, env });
  return (stdout + stderr).replaceAll("\r", "");
}

/** A package of this workspace, in place of the one in the registry. */
function packageOf(name: string): { folder: string; bin: Record<string, string> } {
  const manifest = fileURLToPath(import.meta.resolve(`${name}/package.json`));
  const { bin = {} }: { bin?: Record<string, string> } = JSON.parse(readFileSync(manifest, "utf8"));
  return { folder: dirname(manifest), bin };
}

async function main([command, ...args]: string[]): Promise<void> {
  if (command === "npm") {
    const [verb, ...rest] = args;
    if (verb !== "install") throw new Error(`expected npm install, got npm ${verb}`);
    // msw and vitest are dependencies of this package.
    for (const name of rest.filter((word) => !word.startsWith("-")))
      import.meta.resolve(name === "vitest" ? name : `${name}/package.json`);
    return;
  }
  const [name = "", ...flags] = args;
  const { folder, bin } = packageOf(name);
  const program = join(folder, Object.values(bin)[0] ?? "");
  process.argv = [process.execPath, program, ...flags];
  if (name === "@chain-query/mock") stopWhenUp();
  await import(pathToFileURL(program).href);
}

/** A mock does not end by itself; guides show its start-up message. */
function stopWhenUp(): void {
  process.argv.push("--port", "0");
  const { write } = process.stdout;
  let said = "";
  process.stdout.write = (part: string | Uint8Array): boolean => {
    said += part;
    if (!said.includes("tryLocateSourceTx")) return true;
    const shown = said.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "http://127.0.0.1:4010");
    return write.call(process.stdout, shown, "utf8", () => process.exit());
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
