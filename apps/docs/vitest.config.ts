import { defineConfig, mergeConfig, type ViteUserConfigFnObject } from "vitest/config";
import shared from "../../vitest.config.ts";

const config: ViteUserConfigFnObject = defineConfig((run) =>
  mergeConfig(shared(run), {
    test: {
      ...(run.mode === "system" && { globalSetup: "test/setup.ts" }),
      expect: { poll: { timeout: 30_000 } },
    },
  }),
);

export default config;
