/** The versions of runtimes, compilers and peers, and a cache of their packages outside the workspace. */
import { access, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { runChecked } from "@chain-query/testing/processes";

/** `CHAIN_QUERY_CACHE`, or `chain-query` in the user's cache folder. */
export function cacheFolder(): string {
  const { env } = process;
  return resolve(env["CHAIN_QUERY_CACHE"] || join(env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "chain-query"));
}

/**
 * Installs packages under a name, unless they exist already, and resolves to their folder. The folder appears atomically, so
 * that an interrupted or a concurrent install leaves nothing incomplete.
 */
export async function installed(
  name: string,
  packages: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string> {
  const cache = cacheFolder();
  const folder = join(cache, name);
  if (await exists(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const partial = await mkdtemp(join(cache, ".partial-"));
  try {
    await writeFile(join(partial, "package.json"), JSON.stringify({ private: true, dependencies: packages }));
    const flags = ["--no-audit", "--no-fund", "--no-update-notifier", "--prefer-offline", "--loglevel=error"];
    await runChecked(["npm", "install", ...flags], { cwd: partial, signal });
    await rename(partial, folder).catch(async (error) => {
      if (!(await exists(folder))) throw error;
    });
    return folder;
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Compilers: the oldest supported, that of the workspace, the last one in JavaScript, the first native one. */
export const typescripts: readonly string[] = ["5.4.5", "5.9.3", "6.0.3", "7.0.2"];

/** The declarations of msw need a newer compiler than this one. */
export const tooOldForMsw = "5.4.5";

/** Node.js: the oldest that `engines` allows, and the maintained lines. */
export const nodes: readonly string[] = ["20.19.6", "22.23.3", "24.21.0", "26.10.0"];

/** Commands refuse this one with one line. */
export const nodeTooOld = "18.20.8";

export const bun = "1.4.5";
export const deno = "2.9.6";
export const workerd = "1.20261117.1";

/** Tools of apps, which bring resolvers of their own. */
export const jest = "30.5.2";
export const metro = "0.87.1";
/** Of React Native 0.88. */
export const hermes = "260318099.0.5";
export const parcel = "2.16.4";
export const next = "16.4.6";

/** Installed beside the packages: the optional peer dependencies, and the types of Node.js that they need. */
export const peers: Readonly<Record<string, string>> = {
  "@tanstack/query-core": "5.108.0",
  msw: "3.0.5",
  "@types/node": "24.19.2",
};
