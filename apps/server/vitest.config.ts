import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({ test: { globalSetup: "test/chain-of-the-run.ts" } });

export default config;
