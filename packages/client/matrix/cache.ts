/** Caches runtimes and compilers, downloaded once from the npm registry into a folder outside the workspace. */
import { access, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { run } from "./command.ts";

/** `CHAIN_QUERY_CACHE`, or `chain-query` in the user's cache folder. */
export function cacheFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return resolve(env["CHAIN_QUERY_CACHE"] || join(env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "chain-query"));
}

/**
 * Installs packages under a name, unless they are there already, and resolves to their folder. The folder appears atomically, so
 * that an interrupted or a concurrent install leaves nothing incomplete.
 */
export async function installed(
  name: string,
  packages: Readonly<Record<string, string>>,
  signal: AbortSignal,
  cache: string = cacheFolder(),
): Promise<string> {
  const folder = join(cache, name);
  if (await exists(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const partial = await mkdtemp(join(cache, ".partial-"));
  try {
    await writeFile(join(partial, "package.json"), JSON.stringify({ private: true, dependencies: packages }));
    await npmInstall(partial, signal);
    await rename(partial, folder).catch(async (error) => {
      if (!(await exists(folder))) throw error;
    });
    return folder;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** Installs the dependencies of a folder's package.json. */
export async function npmInstall(cwd: string, signal: AbortSignal): Promise<void> {
  const flags = ["--no-audit", "--no-fund", "--no-update-notifier", "--prefer-offline", "--loglevel=error"];
  await run("npm", ["install", ...flags], { cwd, signal, timeoutMs: 600_000 });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
