/** Tools of the release dry run and of the test of generators, installed once per machine, outside of the workspace. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cached } from "@chain-query/testing/cache";
import { pnpmCommand, runChecked } from "@chain-query/testing/processes";
import { stringify } from "yaml";
import { machineEnvironment } from "../workspace/processes.ts";

/** Exact versions, so that a failure comes from a change of ours. */
const tools = {
  verdaccio: {
    dependencies: { verdaccio: "6.10.4" },
    // Some mirrors have no older version.
    overrides: { "node-fetch": "2.7.0" },
    allowBuilds: {},
  },
  generators: {
    dependencies: {
      "@hey-api/openapi-ts": "0.99.0",
      orval: "8.38.0",
      "orval-7": "npm:orval@7.21.0",
      "openapi-to-postmanv2": "6.3.3",
      oazapfts: "7.5.0",
      "@oazapfts/runtime": "1.2.0",
      "swagger-typescript-api": "13.13.0",
      "@kubb/cli": "4.39.3",
      "@kubb/core": "4.39.3",
      "@kubb/plugin-oas": "4.39.3",
      "@kubb/plugin-ts": "4.39.3",
      "@redocly/cli": "2.77.0",
      "openapi-zod-client": "1.18.3",
      "typed-openapi": "2.2.7",
      "@zodios/core": "10.9.6",
      axios: "1.13.2",
      zod: "3.25.76",
      typescript: "5.9.3",
    },
    overrides: {},
    allowBuilds: { esbuild: false, "@scarf/scarf": false, "es5-ext": false },
  },
} as const;

/** Resolves to the folder of a tool. */
export function installed(name: keyof typeof tools, signal: AbortSignal): Promise<string> {
  const { dependencies, overrides, allowBuilds } = tools[name];
  const versions = Object.values(dependencies).join("-").replaceAll(/[:/]/g, "-");
  return cached(`tool-${name}-${versions}`, async (cwd) => {
    await writeFile(join(cwd, "package.json"), JSON.stringify({ private: true, dependencies }));
    const policy = { minimumReleaseAge: 1440, blockExoticSubdeps: true, overrides, allowBuilds };
    await writeFile(join(cwd, "pnpm-workspace.yaml"), stringify(policy));
    await runChecked([...pnpmCommand(), "install", "--reporter=append-only"], { cwd, env: machineEnvironment(), signal });
  });
}
