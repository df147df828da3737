import { defineConfig, mergeConfig, type ViteUserConfigFnObject } from "vitest/config";
import shared from "../../vitest.config.ts";

const config: ViteUserConfigFnObject = defineConfig((run) =>
  mergeConfig(shared(run), {
    test: {
      globalSetup: "test/global-setup.ts",
    },
  }),
);

export default config;
