/** Finds a Chromium for tests, and installs one if it is missing. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { chromium } from "playwright-core";

const systemPaths = ["/usr/bin/chromium", "/usr/bin/google-chrome"];

/** Chromium flags that turn off its own background requests, and the sandbox, which does not run as root. */
export const quietFlags: string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Returns the path of a Chromium executable: from CHROME_PATH, of the system, or of Playwright.
 * Installs one if none exists; if that fails too, throws an error that names the commands it tried.
 */
export async function findBrowser(named: string | undefined = process.env["CHROME_PATH"]): Promise<string> {
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`CHROME_PATH is ${named}, which does not exist; set it to a Chromium executable, or unset it`);
  }
  return findInstalled() ?? install();
}

function findInstalled(): string | undefined {
  return [...systemPaths, chromium.executablePath()].find((path) => existsSync(path));
}

async function install(): Promise<string> {
  const playwright = join(dirname(createRequire(import.meta.url).resolve("playwright-core/package.json")), "cli.js");
  const installers: string[][][] = [[[process.execPath, playwright, "install", "chromium"]]];
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    installers.unshift([
      ["apt-get", "update"],
      ["apt-get", "install", "-y", "--no-install-recommends", "chromium"],
    ]);
  }
  const tried: string[] = [];
  for (const commands of installers) {
    const line = commands.map((command) => command.join(" ")).join(" && ");
    process.stderr.write(`No Chromium found; installing one for the tests: ${line}\n`);
    const path = (await runAll(commands)) ? findInstalled() : undefined;
    if (path !== undefined) return path;
    tried.push(line);
  }
  throw new Error(
    `No Chromium found, and installing one failed (${tried.join("; ")}); set CHROME_PATH to a Chromium executable`,
  );
}

async function runAll(commands: string[][]): Promise<boolean> {
  for (const [command = "", ...args] of commands) {
    const code = await new Promise<number>((resolve) => {
      // Output goes to stderr: stdout may carry a report.
      const child = spawn(command, args, {
        stdio: ["ignore", 2, 2],
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      });
      child.once("error", () => resolve(127));
      child.once("exit", (exit) => resolve(exit ?? 1));
    });
    if (code !== 0) return false;
  }
  return true;
}
