import { defineConfig, type ViteUserConfigFnObject } from "vitest/config";

/**
 * Tests of every package, in two tiers. `*.test.ts` start no process, no browser and no install; `*.system.test.ts` do.
 * A package with a global setup merges it into this.
 */
const config: ViteUserConfigFnObject = defineConfig(({ mode }) => {
  const system = mode === "system";
  // Milliseconds. A unit test takes a few of them; the limit is for machines that do much else at the same time.
  const timeout = system ? 180_000 : 20_000;
  return {
    test: {
      include: system ? ["test/**/*.system.test.ts"] : ["test/**/*.test.ts"],
      exclude: system ? [] : ["**/*.system.test.ts"],
      testTimeout: timeout,
      hookTimeout: timeout,
      ...(system ? { expect: { poll: { timeout: 60_000 } } } : {}),
      // Unit test files share no state, so that one worker can load its modules once for all of them.
      isolate: system,
      reporters: ["default", "json"],
      outputFile: { json: `.reports/${system ? "system" : "unit"}.json` },
    },
  };
});

export default config;
