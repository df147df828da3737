import { defineConfig, mergeConfig, type ViteUserConfigFnObject } from "vitest/config";
import shared from "../../vitest.config.ts";

const config: ViteUserConfigFnObject = defineConfig((run) =>
  mergeConfig(shared(run), {
    test: {
      globalSetup: "test/global-setup.ts",
      // System tests mostly wait for their processes, so they use all cores; unit tests share one worker.
      ...(run.mode === "system" ? { maxWorkers: "100%" } : {}),
    },
  }),
);

export default config;
