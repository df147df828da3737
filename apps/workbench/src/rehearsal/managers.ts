/** The package managers that a rehearsal installs with. */

import { join } from "node:path";
import { stringify } from "yaml";
import { pnpmCommand } from "../workspace/pnpm.ts";

/** The commands of one package manager. */
export interface Manager {
  name: string;
  /** Files of the consumer's project in addition to package.json. */
  files: Readonly<Record<string, string>>;
  /** Puts its cache into the temporary folder. */
  env(cache: string): Record<string, string>;
  add(packages: readonly string[]): readonly string[];
  /** Installs from the lockfile. */
  again: readonly string[];
  update: readonly string[];
  /** Runs the command of an installed package. */
  execute(name: string, command: string, args: readonly string[]): readonly string[];
  /** Runs a program of the project. */
  run(file: string): readonly string[];
}

/** npm, pnpm and the Bun that is installed in `bun`, with the packages of `scope` from `registry`. */
export function managers(bun: string, scope: string, registry: string): Manager[] {
  const npmrc = { ".npmrc": `${scope}:registry=${registry}\n` };
  const pnpm = pnpmCommand();
  const bunx = join(bun, "node_modules/.bin/bun");
  return [
    {
      name: "npm",
      files: npmrc,
      env: (cache) => ({ npm_config_cache: cache }),
      add: (packages) => ["npm", "install", "--no-audit", "--no-fund", ...packages],
      again: ["npm", "ci", "--no-audit", "--no-fund"],
      update: ["npm", "update", "--no-audit", "--no-fund"],
      // As the README of the mock says.
      execute: (name, _, args) => ["npx", name, ...args],
      run: (file) => [process.execPath, file],
    },
    {
      name: "pnpm",
      files: { ...npmrc, "pnpm-workspace.yaml": stringify(pnpmSettings(scope)) },
      env: (cache) => ({ pnpm_config_store_dir: join(cache, "store"), pnpm_config_cache_dir: cache }),
      add: (packages) => [...pnpm, "add", ...packages],
      again: [...pnpm, "install", "--frozen-lockfile"],
      update: [...pnpm, "update"],
      execute: (_, command, args) => [...pnpm, "exec", command, ...args],
      run: (file) => [process.execPath, file],
    },
    {
      name: "bun",
      files: npmrc,
      env: (cache) => ({ BUN_INSTALL_CACHE_DIR: cache }),
      add: (packages) => [bunx, "add", ...packages],
      again: [bunx, "install", "--frozen-lockfile"],
      update: [bunx, "update"],
      execute: (_, command, args) => [bunx, "run", command, ...args],
      run: (file) => [bunx, "--no-install", file],
    },
  ];
}

/** pnpm refuses versions that are younger than a day. */
function pnpmSettings(scope: string): unknown {
  return { minimumReleaseAgeExclude: [`${scope}/*`] };
}
