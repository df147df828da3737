/** Finds a Chromium for tests, and installs one if it is missing. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "playwright-core";

const systemPaths = ["/usr/bin/chromium", "/usr/bin/google-chrome"];
const lockFile = join(tmpdir(), "chain-query-browser-install.lock");

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
  return findInstalled() ?? (await withLock(lockFile, async () => findInstalled() ?? (await install())));
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

/** Runs a task under a lock file, so that only one task runs at a time on this machine. */
export async function withLock<T>(file: string, task: () => Promise<T>): Promise<T> {
  while (!(await acquire(file))) {
    if (await isStale(file)) await rm(file, { force: true });
    else await sleep(100);
  }
  try {
    return await task();
  } finally {
    await rm(file, { force: true });
  }
}

async function acquire(file: string): Promise<boolean> {
  return writeFile(file, String(process.pid), { flag: "wx" }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return false;
      throw error;
    },
  );
}

/** Whether the process that holds the lock has ended without releasing it. */
async function isStale(file: string): Promise<boolean> {
  const holder = Number(await readFile(file, "utf8").catch(() => ""));
  if (!Number.isInteger(holder) || holder <= 0) return false;
  try {
    process.kill(holder, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}
