/** The Redocly package as this site uses it: its command, and the browser script that lies beside it. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const home = pathToFileURL(createRequire(import.meta.url).resolve("@redocly/cli/package.json"));
const room = fileURLToPath(new URL("../", import.meta.url));

/** Runs a Redocly command in this package, where redocly.yaml lies, without telemetry or a look for updates. */
export async function redocly(...args: string[]): Promise<void> {
  const environment = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const command = fileURLToPath(new URL("bin/cli.js", home));
  await run(process.execPath, [command, ...args], { cwd: room, env: environment });
}

/** Reads Redoc's browser script: the one that Redocly's pages load from a CDN. */
export function redocBundle(): Promise<string> {
  return readFile(new URL("lib/chunks/redoc.standalone.js", home), "utf8");
}
