import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  test: {
    globalSetup: "test/build-once.ts",
    // A browser works beside its test: with one test at a time on two cores one of them would wait.
    maxWorkers: "100%",
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A busy machine is no reason to fail.
    expect: { poll: { timeout: 30_000 } },
  },
});
export default config;
