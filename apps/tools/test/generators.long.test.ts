/** Generators of clients accept the bundled contract, and their output compiles. They are installed once per machine. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { operations } from "@chain-query/openapi/operations";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installed } from "../src/release-dry-run/installed-tools.ts";
import { machineEnvironment, runChecked } from "../src/workspace/processes.ts";

const contract = fileURLToPath(import.meta.resolve("@chain-query/openapi/openapi.json"));
const folder = mkdtempSync(join(tmpdir(), "chain-query-generators-"));
const { signal } = new AbortController();

const kubbConfig = `import { defineConfig } from "@kubb/core";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";
export default defineConfig({
  input: { path: ${JSON.stringify(contract)} },
  output: { path: "./out" },
  plugins: [pluginOas({ validate: false }), pluginTs()],
});
`;

const compilerOptions = {
  strict: true,
  noEmit: true,
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable"],
  module: "esnext",
  moduleResolution: "bundler",
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  types: [],
};

let modules = "";
let unreachable: string | undefined;

beforeAll(async () => {
  try {
    modules = join(await installed("generators", signal), "node_modules");
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    unreachable = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)\b/.exec(message)?.[0];
    if (unreachable === undefined) throw error;
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the contract is accepted by", () => {
  test.for<readonly [generator: string, command: readonly [string, ...string[]]]>([
    ["hey-api", ["openapi-ts", "-i", contract, "-o", "out", "-c", "@hey-api/client-fetch", "--no-log-file"]],
    ["orval", ["orval", "--input", contract, "--output", "out/client.ts", "--client", "fetch"]],
    ["kubb", ["kubb", "generate", "--config", "kubb.config.mjs"]],
    ["Redocly", ["redocly", "generate-client", contract, "--output", "out/client.ts"]],
    ["typed-openapi", ["typed-openapi", contract, "--output", "out/client.ts"]],
    ["openapi-zod-client", ["openapi-zod-client", contract, "--output", "out/client.ts"]],
  ])("%s", async ([generator, [program, ...args]], { skip }) => {
    if (unreachable !== undefined) skip(`the registry cannot be reached: ${unreachable}`);
    const cwd = join(folder, generator);
    mkdirSync(join(cwd, "out"), { recursive: true });
    symlinkSync(modules, join(cwd, "node_modules"), "junction");
    writeFileSync(join(cwd, "kubb.config.mjs"), kubbConfig);
    writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["out"] }));
    const options = { cwd, env: machineEnvironment(), signal };
    await runChecked([join(modules, ".bin", program), ...args], options);
    const written = readdirSync(join(cwd, "out"), { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    const text = written.map((file) => readFileSync(join(cwd, "out", file), "utf8")).join("\n");
    expect(operations.filter(({ id }) => !new RegExp(id, "i").test(text))).toEqual([]);
    await runChecked([join(modules, ".bin", "tsc"), "-p", "."], options);
  });

  // The generator writes z.discriminatedUnion, which throws for a tag that is only a const.
  test("openapi-zod-client, whose schemas parse every documented success", async ({ skip }) => {
    if (unreachable !== undefined) skip(`the registry cannot be reached: ${unreachable}`);
    const { api }: { api: { api: ZodEndpoint[] } } = await import(join(folder, "openapi-zod-client/out/client.ts"));
    const successes = operations.flatMap(({ examples }) => examples).filter(({ response }) => response.status === 200);
    expect(successes.length).toBeGreaterThan(15);
    for (const { operationId, condition, response } of successes) {
      const endpoint = api.api.find(({ path }) => path.endsWith(`/${operationId}`));
      expect(endpoint?.response.safeParse(response.body), condition).toMatchObject({ success: true });
      expect(endpoint?.response.safeParse({ ...response.body, ok: false }), condition).toMatchObject({ success: false });
    }
  });
});

/** The part of a Zodios endpoint that the test reads. */
interface ZodEndpoint {
  readonly path: string;
  readonly response: { safeParse(value: unknown): { readonly success: boolean } };
}
