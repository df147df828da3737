/** Generators of clients accept the bundled contract, and their output compiles. They are installed once per machine. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startMock } from "@chain-query/mock";
import { type OperationId, operations } from "@chain-query/openapi/operations";
import { run } from "@chain-query/testing/processes";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installed } from "../src/release-dry-run/installed-tools.ts";
import { root } from "../src/workspace/packages.ts";
import { machineEnvironment } from "../src/workspace/processes.ts";

const contract = fileURLToPath(import.meta.resolve("@chain-query/openapi/openapi.json"));
const folder = mkdtempSync(join(tmpdir(), "chain-query-generators-"));
const { signal } = new AbortController();
/** The workspace's. The one that the generators come with takes five times as long. */
const compiler = join(root, "apps/tools/node_modules/.bin/tsc");

const kubbConfig = `import { defineConfig } from "@kubb/core";
import { pluginOas } from "@kubb/plugin-oas";
import { pluginTs } from "@kubb/plugin-ts";
export default defineConfig({
  input: { path: ${JSON.stringify(contract)} },
  output: { path: "./out" },
  plugins: [pluginOas({ validate: false }), pluginTs()],
});
`;

/** orval 7 does not read the server of the contract, and its command has no option for it. */
const orvalConfig = `export default {
  chain: {
    input: ${JSON.stringify(contract)},
    output: { target: "./out/client.ts", client: "fetch", baseUrl: "http://127.0.0.1:4010" },
  },
};
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

/** The output of this generator does not compile, with any contract: its schemas alone are of use. */
const fault =
  /^typed-openapi for zod\/out\/client\.ts\(\d+,\d+\): error TS2344: Type 'TEndpoint' does not satisfy the constraint 'ZodType/;

/** Their commands. */
const generators: Readonly<Record<string, readonly [string, ...string[]]>> = {
  "hey-api": ["openapi-ts", "-i", contract, "-o", "out", "-c", "@hey-api/client-fetch", "--no-log-file"],
  orval: ["orval", "--input", contract, "--output", "out/client.ts", "--client", "fetch"],
  "orval 7": ["../orval-7/dist/bin/orval.js", "--config", "orval.config.mjs"],
  "orval for zod": ["orval", "--input", contract, "--output", "out/client.ts", "--client", "zod"],
  oazapfts: ["oazapfts", contract, "out/client.ts"],
  "swagger-typescript-api": ["swagger-typescript-api", "generate", "-p", contract, "-o", "out", "-n", "client.ts"],
  kubb: ["kubb", "generate", "--config", "kubb.config.mjs"],
  Redocly: ["redocly", "generate-client", contract, "--output", "out/client.ts"],
  "typed-openapi": ["typed-openapi", contract, "--output", "out/client.ts"],
  "typed-openapi for zod": ["typed-openapi", contract, "--output", "out/client.ts", "--runtime", "zod"],
  "openapi-zod-client": ["openapi-zod-client", contract, "--output", "out/client.ts"],
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
  test.for(Object.entries(generators))("%s", async ([generator, [program, ...args]], { skip }) => {
    if (unreachable !== undefined) skip(`the registry cannot be reached: ${unreachable}`);
    const cwd = join(folder, generator);
    mkdirSync(join(cwd, "out"), { recursive: true });
    symlinkSync(modules, join(cwd, "node_modules"), "junction");
    writeFileSync(join(cwd, "kubb.config.mjs"), kubbConfig);
    writeFileSync(join(cwd, "orval.config.mjs"), orvalConfig);
    // orval writes for the version of zod that it finds here.
    writeFileSync(join(cwd, "package.json"), JSON.stringify({ type: "module", dependencies: { zod: "3.25.76" } }));
    const command = [join(modules, ".bin", program), ...args];
    const { code, output } = await run(command, { cwd, env: machineEnvironment(), signal });
    expect(code, output).toBe(0);
    expect(output).not.toMatch(/validation failed/i);
    const written = readdirSync(join(cwd, "out"), { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    const text = written.map((file) => readFileSync(join(cwd, "out", file), "utf8")).join("\n");
    expect(operations.filter(({ id }) => !new RegExp(id, "i").test(text))).toEqual([]);
  });

  test("a strict compiler, in what they write", async ({ skip }) => {
    if (unreachable !== undefined) skip(`the registry cannot be reached: ${unreachable}`);
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*/out"] }));
    const { stdout } = await run([compiler, "-p", ".", "--listFiles"], { cwd: folder, env: machineEnvironment(), signal });
    const lines = stdout.split("\n");
    const compiled = new Set(lines.flatMap((line) => /\/([^/]+)\/out\/.*\.ts$/.exec(line)?.[1] ?? []));
    expect([...compiled].sort()).toEqual(Object.keys(generators).sort());
    const errors = lines.filter((line) => /error TS\d+: /.test(line));
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.filter((line) => !fault.test(line))).toEqual([]);
  });

  const successes = operations.flatMap(({ examples }) => examples).filter(({ response }) => response.status === 200);

  /** The schema of an operation's response, in the modules that generators of zod schemas write. */
  const schemas: Readonly<Record<string, (module: Written, operation: OperationId) => ZodSchema | undefined>> = {
    "openapi-zod-client": ({ api }, operation) => api?.api.find(({ path }) => path.endsWith(`/${operation}`))?.response,
    "orval for zod": (module, operation) => module[`${operation.replace(/^./, (letter) => letter.toUpperCase())}Response`],
    "typed-openapi for zod": ({ EndpointByMethod }, operation) =>
      Object.values(EndpointByMethod ?? {})
        .map((endpoints) => endpoints[`/api/v2/${operation}`])
        .find((endpoint) => endpoint !== undefined)?.responses.shape["200"],
  };
  test.for(Object.keys(schemas))("%s, whose schemas parse every documented success", async (generator, { skip }) => {
    if (unreachable !== undefined) skip(`the registry cannot be reached: ${unreachable}`);
    const module: Written = await import(join(folder, generator, "out/client.ts"));
    expect(successes.length).toBeGreaterThan(15);
    for (const { operationId, condition, response } of successes) {
      const schema = schemas[generator]?.(module, operationId);
      expect(schema?.safeParse(response.body), condition).toMatchObject({ success: true });
      expect(schema?.safeParse({ ...response.body, result: {} }), condition).toMatchObject({ success: false });
    }
  });
});

test("Postman imports the contract, and the mock accepts each request of the collection", async ({ skip }) => {
  if (unreachable !== undefined) skip(`the registry cannot be reached: ${unreachable}`);
  const { convertV2 }: Postman = createRequire(join(modules, "x.cjs"))("openapi-to-postmanv2");
  const input = { type: "string", data: readFileSync(contract, "utf8") };
  const collection = await new Promise<PostmanItem | undefined>((resolve, reject) =>
    convertV2(input, { parametersResolution: "Example" }, (error, converted) =>
      error === null ? resolve(converted.output?.[0]?.data) : reject(error),
    ),
  );
  await using mock = await startMock();
  const statuses: unknown[] = [];
  for (const { name, request } of collection ? requestsOf(collection) : []) {
    const { path, query } = request.url;
    const search = new URLSearchParams(Object.fromEntries(query.map(({ key, value }) => [key, value])));
    const headers = request.header
      .filter(({ key }) => /^(accept|content-type)$/i.test(key))
      .map(({ key, value }) => [key, value]);
    const response = await fetch(`${mock.url}/${path.join("/")}?${search}`, {
      method: request.method,
      headers: Object.fromEntries(headers),
      ...(request.body?.raw === undefined ? {} : { body: request.body.raw }),
    });
    statuses.push([name, response.status]);
  }
  expect(statuses).toEqual(operations.map(({ summary }) => [summary, 200]));
});

/** The part of openapi-to-postmanv2 and of its collection that the test reads. */
interface Postman {
  convertV2(
    input: object,
    options: object,
    callback: (error: Error | null, converted: { readonly output?: readonly { readonly data: PostmanItem }[] }) => void,
  ): void;
}

interface PostmanItem {
  readonly name: string;
  readonly item?: readonly PostmanItem[];
  readonly request?: PostmanRequest;
}

interface PostmanRequest {
  readonly method: string;
  readonly url: { readonly path: readonly string[]; readonly query: readonly Pair[] };
  readonly header: readonly Pair[];
  readonly body?: { readonly raw?: string };
}

interface Pair {
  readonly key: string;
  readonly value: string;
}

function requestsOf({ name, item = [], request }: PostmanItem): { name: string; request: PostmanRequest }[] {
  return request ? [{ name, request }] : item.flatMap(requestsOf);
}

interface ZodSchema {
  safeParse(value: unknown): { readonly success: boolean };
}

/** The parts of the written modules that the test reads: orval's schemas by their names, Zodios endpoints, and typed-openapi's. */
type Written = Readonly<Record<string, ZodSchema | undefined>> & {
  readonly api?: { readonly api: readonly { readonly path: string; readonly response: ZodSchema }[] };
  readonly EndpointByMethod?: Readonly<Record<string, Readonly<Record<string, TypedEndpoint | undefined>>>>;
};

interface TypedEndpoint {
  readonly responses: { readonly shape: Readonly<Record<string, ZodSchema>> };
}
