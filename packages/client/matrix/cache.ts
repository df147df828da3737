/** The versions of runtimes, compilers and peers, and their installation in a cache outside the workspace. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cached } from "@chain-query/testing/cache";
import { runChecked } from "@chain-query/testing/processes";

/** Installs packages under a name, unless they exist already, and resolves to their folder. */
export function installed(name: string, packages: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string> {
  return cached(name, async (cwd) => {
    await writeFile(join(cwd, "package.json"), JSON.stringify({ private: true, dependencies: packages }));
    const flags = ["--no-audit", "--no-fund", "--no-update-notifier", "--prefer-offline", "--loglevel=error"];
    await runChecked(["npm", "install", ...flags], { cwd, signal });
  });
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
