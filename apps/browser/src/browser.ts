/** A Chromium for the tests: the machine's own where it has one, else one that is installed on the spot. */
import { spawn } from "node:child_process";
import { access, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "playwright-core";

const usual = ["/usr/bin/chromium", "/usr/bin/google-chrome"];
const lockFile = join(tmpdir(), "chain-query-browser-install.lock");

/** What a browser is started with so that it asks nobody for anything on its own account. */
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
 * Finds a Chromium and gives the path of its executable: the one that CHROME_PATH names, one of the system, or Playwright's.
 * Where there is none it installs one, and fails with one line that says what was tried where that is not possible either.
 */
export async function findBrowser(named: string | undefined = process.env["CHROME_PATH"]): Promise<string> {
  if (named) {
    if (await exists(named)) return named;
    throw new Error(`CHROME_PATH is ${named}, which does not exist; name a Chromium, or unset it to have one found`);
  }
  return (await present()) ?? (await withLock(lockFile, async () => (await present()) ?? (await install())));
}

async function present(): Promise<string | undefined> {
  for (const path of [...usual, chromium.executablePath()]) if (await exists(path)) return path;
  return undefined;
}

async function install(): Promise<string> {
  const playwright = join(dirname(createRequire(import.meta.url).resolve("playwright-core/package.json")), "cli.js");
  const ways: string[][][] = [[[process.execPath, playwright, "install", "chromium"]]];
  if (process.getuid?.() === 0 && (await exists("/usr/bin/apt-get"))) {
    ways.unshift([
      ["apt-get", "update"],
      ["apt-get", "install", "-y", "--no-install-recommends", "chromium"],
    ]);
  }
  const tried: string[] = [];
  for (const way of ways) {
    const said = way.map((command) => command.join(" ")).join(" && ");
    process.stderr.write(`No browser here; installing one for the tests: ${said}\n`);
    const done = await inTurn(way);
    const path = done ? await present() : undefined;
    if (path !== undefined) return path;
    tried.push(said);
  }
  throw new Error(`There is no browser, and installing one failed (${tried.join("; ")}); set CHROME_PATH to a Chromium`);
}

async function inTurn(commands: string[][]): Promise<boolean> {
  for (const [command = "", ...args] of commands) {
    const code = await new Promise<number>((resolve) => {
      // What the installer says belongs beside our own line, not into a report on stdout.
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

/** Runs a task while no other process, and nobody else in this one, runs one under the same lock file. */
export async function withLock<T>(file: string, task: () => Promise<T>): Promise<T> {
  while (!(await taken(file))) {
    if (await abandoned(file)) await rm(file, { force: true });
    else await sleep(100);
  }
  try {
    return await task();
  } finally {
    await rm(file, { force: true });
  }
}

async function taken(file: string): Promise<boolean> {
  return writeFile(file, String(process.pid), { flag: "wx" }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return false;
      throw error;
    },
  );
}

/** A lock whose holder was killed would otherwise be waited for without end. */
async function abandoned(file: string): Promise<boolean> {
  const holder = Number(await readFile(file, "utf8").catch(() => ""));
  if (!Number.isInteger(holder) || holder <= 0) return false;
  try {
    process.kill(holder, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
