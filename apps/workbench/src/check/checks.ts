/** The checks of `pnpm check` and of CI, in addition to the tests. */
import { join } from "node:path";
import type { Job } from "../workspace/jobs.ts";
import { root } from "../workspace/packages.ts";
import { pnpmCommand } from "../workspace/pnpm.ts";

const bin = (name: string, ...args: string[]): Job => ({ name, command: [join(root, "node_modules/.bin", name), ...args] });
const script = (name: string, ...args: string[]): Job => ({
  name,
  command: [...pnpmCommand(), "--silent", "run", name, ...args],
});
const node = (name: string, file: string): Job => ({
  name,
  command: [process.execPath, ...process.execArgv, join(root, file)],
});

/** Checks of the sources. They run side by side, before any test. */
export const ofSources: readonly Job[] = [
  { ...bin("turbo", "run", "lint", "typecheck", "--output-logs=errors-only"), name: "lint and typecheck of the packages" },
  bin("biome", "ci", "--error-on-warnings"),
  script("knip"),
  script("lint:layers"),
  script("lint:spelling"),
  script("lint:words"),
];

/** Checks of the built packages, one after the other: they read and write the same outputs. */
export const ofBuilds: readonly Job[] = [
  node("generated files", "apps/workbench/src/check/generated-files.ts"),
  node("law of versions", "apps/workbench/src/check/law-of-versions.ts"),
];

/** Checks that need a network, other runtimes or minutes. They run beside the system tests. */
export const onlyInCi: readonly Job[] = [
  node("rehearsal of a release", "apps/workbench/src/rehearsal/command.ts"),
  node("runtimes and compilers of the client", "packages/client/matrix/run.ts"),
  script("audit"),
];
