import { defineConfig, mergeConfig, type ViteUserConfigFnObject } from "vitest/config";
import shared from "../../vitest.config.ts";

const config: ViteUserConfigFnObject = defineConfig((run) =>
  mergeConfig(shared(run), {
    test: {
      globalSetup: "test/build-once.ts",
      // A browser works beside its test: with one test at a time on two cores one of them would wait.
      maxWorkers: "100%",
      // A busy machine is no reason to fail.
      expect: { poll: { timeout: 30_000 } },
    },
  }),
);

export default config;
