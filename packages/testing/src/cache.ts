/** What tests and tools install once per machine, outside of the workspace. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** `CHAIN_QUERY_CACHE`, or `chain-query` in the user's cache folder. */
export function cacheFolder(): string {
  const { env } = process;
  return resolve(env["CHAIN_QUERY_CACHE"] || join(env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "chain-query"));
}

/**
 * Resolves to a folder of the cache, which `install` fills if it does not exist. The folder appears atomically, so that an interrupted or
 * a concurrent install leaves nothing incomplete.
 */
export async function cached(name: string, install: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = join(cacheFolder(), name);
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const partial = await mkdtemp(join(dirname(folder), ".partial-"));
  try {
    await install(partial);
    await rename(partial, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}
