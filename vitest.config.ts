import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./apps/tools/src/test/sequencer.ts";

const packages = "{openapi,packages/*,apps/*}/test/**";
/** Folders that are not searched for tests. */
const ignored = ["**/node_modules/**", "**/dist/**", "**/.*/**"];
/** Packages run from their sources, so that a test needs no build of its imports. Programs that tests start run the builds. */
const source = "@chain-query/source";

/**
 * Tests of every package, in three tiers. `*.test.ts` start no process, no browser and no install; `*.system.test.ts` do; `*.long.test.ts`
 * are those in full length. `pnpm test` runs the first two. Files share no state: a worker loads its modules once for all of them, so that
 * servers which a module starts live as long as the worker, and hooks belong in the test file or in a function that it calls.
 */
export default defineConfig({
  // Each package has a copy of vitest with other peers, and a worker that runs tests of several packages must load one.
  resolve: { dedupe: ["vitest"] },
  ssr: { resolve: { conditions: [source, "module", "node", "development|production"] } },
  test: {
    globalSetup: "packages/testing/src/services/global-setup.ts",
    setupFiles: fileURLToPath(new URL("packages/testing/src/print-outputs.ts", import.meta.url)),
    reporters: ["default", fileURLToPath(new URL("apps/tools/src/test/reporter.ts", import.meta.url))],
    execArgv: [`--conditions=${source}`],
    isolate: false,
    sequence: { sequencer: LongestFirst },
    slowTestThreshold: 60_000,
    // System tests wait for their processes, or for the intervals of servers, for half of their time.
    maxWorkers: 2 * availableParallelism(),
    exclude: ignored,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 150_000 } },
    projects: [
      {
        extends: true,
        test: { name: "unit", include: [`${packages}/*.test.ts`], exclude: ["**/*.{system,long}.test.ts"] },
      },
      {
        extends: true,
        test: {
          name: "types",
          root: "packages/types",
          include: [],
          typecheck: { enabled: true, only: true, include: ["test/*.test-d.ts"] },
        },
      },
      { extends: true, test: { name: "system", include: [`${packages}/*.system.test.ts`] } },
      {
        extends: true,
        test: { name: "long", include: [`${packages}/*.long.test.ts`], testTimeout: 900_000, hookTimeout: 900_000 },
      },
    ],
  },
});
