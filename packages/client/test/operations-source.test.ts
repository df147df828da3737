import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import bundle from "@chain-query/openapi/openapi.json" with { type: "json" };
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operationsSource } from "../operations-source.ts";
import { json, startFaultServer } from "./fault-server.ts";

const require = createRequire(import.meta.url);
const client = fileURLToPath(new URL("..", import.meta.url));
const types = dirname(require.resolve("@chain-query/types/package.json"));
const run = promisify(execFile);

const json200 = (schema: object) => ({
  200: { description: "The account as of then.", content: { "application/json": { schema } } },
});
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The contract with one operation more. */
const ninth = {
  ...bundle,
  paths: {
    ...bundle.paths,
    "/api/v2/countTransactions": {
      post: {
        operationId: "countTransactions",
        tags: ["Accounts"],
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["address", "after_lt"],
                properties: {
                  address: reference("Address"),
                  after_lt: reference("LogicalTimeInput"),
                  archival: { type: "boolean" },
                },
              },
            },
          },
        },
        responses: json200({
          type: "object",
          required: ["ok", "result"],
          properties: { ok: { type: "boolean", const: true }, result: reference("account.count") },
        }),
      },
    },
  },
  components: {
    ...bundle.components,
    schemas: {
      ...bundle.components.schemas,
      "account.count": {
        type: "object",
        required: ["count", "latest_lt"],
        properties: { count: { type: "integer" }, latest_lt: reference("LogicalTime") },
      },
    },
  },
};

/** Copies of this package and of its types, which read the contract that is put before them. */
let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "ninth-operation-")));
  const contract = join(folder, "openapi");
  await mkdir(contract);
  const exports = { "./openapi.json": "./openapi.json", "./examples.json": "./examples.json" };
  await writeFile(join(contract, "package.json"), JSON.stringify({ name: "@chain-query/openapi", exports }));
  await writeFile(join(contract, "openapi.json"), JSON.stringify(ninth));
  await cp(require.resolve("@chain-query/openapi/examples.json"), join(contract, "examples.json"));
  for (const [from, name] of [
    [types, "types"],
    [client, "client"],
  ] as const) {
    const to = join(folder, name);
    await cp(join(from, "src"), join(to, "src"), { recursive: true });
    for (const file of await readdir(from)) if (/\.ts$/.test(file)) await cp(join(from, file), join(to, file));
    await mkdir(join(to, "node_modules/@chain-query"), { recursive: true });
    await symlink(contract, join(to, "node_modules/@chain-query/openapi"));
    for (const tool of ["openapi-typescript", "typescript", "openapi-fetch"]) {
      const found = await realpath(join(from, "node_modules", tool)).catch(() => undefined);
      if (found) await symlink(found, join(to, "node_modules", tool));
    }
    await writeFile(
      join(to, "package.json"),
      JSON.stringify({ name: `@chain-query/${name}`, type: "module", exports: "./src/index.ts" }),
    );
    await run(process.execPath, ["generate.ts"], { cwd: to });
  }
  await symlink(join(folder, "types"), join(folder, "client/node_modules/@chain-query/types"));
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Type-checks a program against the copy and gives what the compiler says. */
async function compile(name: string, program: string): Promise<string> {
  const options = {
    extends: join(client, "../../tsconfig.base.json"),
    compilerOptions: { lib: ["es2023", "dom"], noEmit: true, allowImportingTsExtensions: true, noUnusedLocals: false },
    files: [`${name}.ts`],
  };
  await writeFile(join(folder, `client/${name}.ts`), program);
  await writeFile(join(folder, `client/${name}.json`), JSON.stringify(options));
  const compiler = join(dirname(require.resolve("typescript/package.json")), "bin/tsc");
  return run(process.execPath, [compiler, "-p", `${name}.json`], { cwd: join(folder, "client") }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}

describe("an operation that the contract gains", () => {
  test("is a typed method of the client, with nothing written by hand", { timeout: 120_000 }, async () => {
    const program = `
      import { createClient, decodeInt64 } from "./src/index.ts";
      declare const process: { argv: string[] };
      const chain = createClient({ baseUrl: process.argv[2] ?? "", rateLimit: false });
      const result = await chain.countTransactions({ address: "0:ab", afterLt: 5n });
      const count: number = result.count;
      const latest: bigint = decodeInt64(result).latest_lt;
      const wrong = await chain.countTransactions({ address: "0:ab", afterLt: 1.5 }).safe();
      console.log(count, latest, wrong.ok ? "" : wrong.error.message);
    `;
    expect(await compile("calls", program)).toBe("");
    await using server = await startFaultServer(json(200, { ok: true, result: { count: 3, latest_lt: "9007199254740993" } }));
    const { stdout } = await run(process.execPath, ["calls.ts", server.url], { cwd: join(folder, "client") });
    expect(stdout).toMatch(/^3 9007199254740993n countTransactions: afterLt: an integer from 0 to 2\^63-1 .* not 1\.5\n$/);
    expect(server.seen).toMatchObject([
      { method: "POST", url: "/api/v2/countTransactions", body: '{"address":"0:ab","after_lt":"5"}' },
    ]);
  });

  test("refuses at compile time what it does not take", { timeout: 120_000 }, async () => {
    const program = `
      import { createClient } from "./src/index.ts";
      const chain = createClient({ baseUrl: "" });
      chain.countTransactions({ address: "0:ab" });
      chain.countTransactions({ address: "0:ab", after_lt: 5n });
      chain.countTransactions({ address: "0:ab", afterLt: true });
      chain.countTransaction({ address: "0:ab", afterLt: 5n });
    `;
    const errors = await compile("misuses", program);
    for (const line of [4, 5, 6, 7]) expect(errors).toContain(`misuses.ts(${line},`);
  });
});

describe("operations.gen.ts", () => {
  test("is what the generator makes of the contract", async () => {
    expect(await readFile(join(client, "src/operations.gen.ts"), "utf8")).toBe(operationsSource(bundle));
  });

  test("knows no parameter but those of a query", () => {
    const parameters = [{ name: "id", in: "path", required: true, schema: { type: "string" } }];
    const contract = { ...bundle, paths: { "/a/{id}": { get: { operationId: "a", parameters } } } };
    expect(() => operationsSource(contract)).toThrow("get /a/{id}: the client sends no parameter in path");
  });

  const query = (name: string, schema: object) => ({ parameters: [{ name, in: "query", schema }] });
  const body = (schema: object) => ({ requestBody: { content: { "application/json": { schema } } } });
  const string = { type: "string" };
  test.for<[string, object, string]>([
    ["a name in camelCase", { get: query("toLt", string) }, "get /a: toLt would be sent as to_lt"],
    ["a name with a digit", { get: query("block_2", string) }, "get /a: block_2 would be sent as block2"],
    ["a name in a body", { post: body({ type: "object", properties: { A: string } }) }, "post /a: A would be sent as _a"],
    ["parameters of a path", { parameters: [], get: {} }, "/a: the client does not know parameters of a path"],
    ["another method", { put: {} }, "/a: the client does not know put of a path"],
    [
      "a body of parts",
      { post: body({ allOf: [{ type: "object" }] }) },
      "post /a: the client sends no body but a plain object",
    ],
    ["a list as a member", { get: query("ids", { type: "array", items: string }) }, "get /a: ids: the client takes strings"],
    ["an object as a member", { get: query("a", { type: "object" }) }, "get /a: a: the client takes strings"],
    ["a number as a member", { get: query("a", { type: "number" }) }, "get /a: a: the client takes strings"],
    ["a query of a POST", { post: query("a", string) }, "post /a: the client sends no query with a POST"],
    ["a body of a GET", { get: body({ type: "object" }) }, "get /a: the client sends no body with a GET"],
  ])("is not made of %s", ([, item, message]) => {
    expect(() => operationsSource({ ...bundle, paths: { "/a": item } })).toThrow(message);
  });
});
