import { execFile } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import bundle from "@chain-query/openapi/openapi.json" with { type: "json" };
import { type Input, type InputKind, operationsById, type Schema, schemas } from "@chain-query/openapi/operations";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const require = createRequire(import.meta.url);
const cli = fileURLToPath(new URL("..", import.meta.url));
const client = dirname(require.resolve("@chain-query/client/package.json"));
const types = dirname(require.resolve("@chain-query/types/package.json"));
const run = promisify(execFile);

const address = operationsById.getAddressInformation;
const count: Schema = {
  type: "object",
  required: ["count", "latest_lt"],
  properties: { count: { type: "integer" }, latest_lt: schemas["LogicalTime"] ?? {} },
};
const response: Schema = {
  type: "object",
  required: ["ok", "result"],
  properties: { ok: { type: "boolean", const: true }, result: count },
};
const request: Schema = {
  type: "object",
  required: ["address", "after_lt"],
  properties: { address: { type: "string" }, after_lt: { type: ["integer", "string"] }, archival: { type: "boolean" } },
};
const input = (name: string, kind: InputKind, required: boolean): Input => ({
  ...{ name, in: "body", kind, required, description: "", schema: request.properties?.[name] ?? {} },
});

/** The operation as the module of operations would describe it. */
const ninth = {
  ...address,
  id: "countTransactions",
  path: "/api/v2/countTransactions",
  inputs: [
    input("address", "address", true),
    { ...input("after_lt", "integer", true), range: { least: 0n, most: 2n ** 63n - 1n } },
    input("archival", "boolean", false),
  ],
  responses: [{ status: "200", description: "", headers: {}, schema: response, examples: {} }],
  examples: [],
};

/** The contract with it, for the generator of types. */
const json = (schema: Schema) => ({ description: "", content: { "application/json": { schema } } });
const contract = {
  ...bundle,
  paths: {
    ...bundle.paths,
    [ninth.path]: {
      post: {
        operationId: ninth.id,
        requestBody: { required: true, ...json(request) },
        responses: { 200: json(response) },
      },
    },
  },
};

const subject = `0:${"ab".repeat(32)}`;
const requested = { method: "POST", url: ninth.path, body: JSON.stringify({ address: subject, after_lt: "5" }) };

/** Copies of this package, of the client and of its types, which read the contract that is put before them. */
let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "ninth-operation-")));
  const openapi = join(folder, "openapi");
  await mkdir(openapi);
  const exports = { "./openapi.json": "./openapi.json", "./operations": "./operations.js", "./requests": "./requests.js" };
  await writeFile(join(openapi, "package.json"), JSON.stringify({ name: "@chain-query/openapi", type: "module", exports }));
  await writeFile(join(openapi, "openapi.json"), JSON.stringify(contract));
  const text = JSON.stringify(ninth, (_, value) => (typeof value === "bigint" ? Number(value) : value));
  const real = import.meta.resolve("@chain-query/openapi/operations");
  await writeFile(
    join(openapi, "operations.js"),
    `import * as real from ${JSON.stringify(real)};
export const schemas = { ...real.schemas, "account.count": ${JSON.stringify(count)} };
export const operations = [...real.operations, ${text}];`,
  );
  await writeFile(
    join(openapi, "requests.js"),
    `import * as real from ${JSON.stringify(import.meta.resolve("@chain-query/openapi/requests"))};
export const checkRequest = (id, sent) => (id === "${ninth.id}" ? { ok: true, inputs: sent } : real.checkRequest(id, sent));`,
  );
  await writeFile(
    join(openapi, "requests.d.ts"),
    "export declare function checkRequest(id: string, sent: unknown): { ok: true } | { ok: false; problems: string[] };",
  );
  for (const [from, name] of [
    [types, "types"],
    [client, "client"],
    [cli, "cli"],
  ] as const) {
    const to = join(folder, name);
    await cp(join(from, "src"), join(to, "src"), { recursive: true });
    for (const file of await readdir(from)) {
      if (/\.ts$|^generate$/.test(file)) await cp(join(from, file), join(to, file), { recursive: true });
    }
    await mkdir(join(to, "node_modules/@chain-query"), { recursive: true });
    await symlink(openapi, join(to, "node_modules/@chain-query/openapi"));
    for (const tool of [
      "openapi-typescript",
      "typescript",
      "openapi-fetch",
      "@modelcontextprotocol",
      "@chain-query/command-line",
    ]) {
      const found = await realpath(join(from, "node_modules", tool)).catch(() => undefined);
      if (found) await symlink(found, join(to, "node_modules", tool));
    }
    await writeFile(
      join(to, "package.json"),
      JSON.stringify({ name: `@chain-query/${name}`, version: "0.0.0", type: "module", exports: "./src/index.ts" }),
    );
    if (name !== "cli") await run(process.execPath, [name === "types" ? "generate.ts" : "generate/generate.ts"], { cwd: to });
  }
  await symlink(join(folder, "types"), join(folder, "client/node_modules/@chain-query/types"));
  await symlink(join(folder, "client"), join(folder, "cli/node_modules/@chain-query/client"));
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A server that answers every request alike, and keeps the requests. */
async function startServer() {
  const seen: { method: string | undefined; url: string | undefined; body: string }[] = [];
  const server = createServer(async (request, response) => {
    seen.push({ method: request.method, url: request.url, body: await textOf(request) });
    const body = { ok: true, result: { count: 3, latest_lt: "9007199254740993" } };
    response.writeHead(200, { "content-type": "application/json", connection: "close" }).end(JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, seen, [Symbol.asyncDispose]: async () => void server.close() };
}

/** Type-checks a program against the copy and returns the output of the compiler. */
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

describe("a new operation of the contract", () => {
  test("is a typed method of the client without code by hand", { timeout: 120_000 }, async () => {
    const program = `
      import { createClient, withBigints } from "./src/index.ts";
      declare const process: { argv: string[] };
      const plain = createClient({ baseUrl: process.argv[2] ?? "", rateLimit: false });
      // With bigints at run time; their types are made from schemas with titles, which this result has not.
      const chain = withBigints(plain) as unknown as typeof plain;
      const result = await chain.countTransactions({ address: "0:abababababababababababababababababababababababababababababababab", afterLt: 5n });
      const count: number = result.count;
      const latest: string = result.latest_lt;
      const wrong = await chain.countTransactions({ address: "0:abababababababababababababababababababababababababababababababab", afterLt: 1.5 }).safe();
      console.log(count, latest, wrong.ok ? "" : wrong.error.message);
    `;
    expect(await compile("calls", program)).toBe("");
    await using server = await startServer();
    const { stdout } = await run(process.execPath, ["calls.ts", server.url], { cwd: join(folder, "client") });
    expect(stdout).toMatch(
      /^3 9007199254740993n countTransactions: afterLt must be an integer from 0 to 9223372036854775807 .*, got 1\.5\n$/,
    );
    expect(server.seen).toEqual([requested]);
  });

  test("is a command, and a tool of the MCP server", { timeout: 120_000 }, async () => {
    await using server = await startServer();
    const command = [join(folder, "cli/src/cli.ts"), ninth.id, "--address", subject, "--after-lt", "5", "--url", server.url];
    const { stdout } = await run(process.execPath, command);
    expect(JSON.parse(stdout)).toEqual({ count: 3, latest_lt: "9007199254740993" });
    const model = new Client({ name: "test", version: "1.0.0" });
    const args = [join(folder, "cli/src/cli.ts"), "mcp", "--url", server.url];
    await model.connect(new StdioClientTransport({ command: process.execPath, args }));
    const { tools } = await model.listTools();
    const tool = tools.find(({ name }) => name === ninth.id);
    expect(tool?.inputSchema).toMatchObject({
      properties: { after_lt: { type: "string" } },
      required: ["address", "after_lt"],
    });
    const { content } = await model.callTool({ name: ninth.id, arguments: { address: subject, after_lt: "5" } });
    expect(content).toEqual([{ type: "text", text: JSON.stringify(JSON.parse(stdout)) }]);
    await model.close();
    expect(server.seen).toEqual([requested, requested]);
  });

  test("rejects wrong inputs at compile time", { timeout: 120_000 }, async () => {
    const program = `
      import { createClient } from "./src/index.ts";
      const chain = createClient({ baseUrl: "" });
      chain.countTransactions({ address: "0:abababababababababababababababababababababababababababababababab" });
      chain.countTransactions({ address: "0:abababababababababababababababababababababababababababababababab", after_lt: 5n });
      chain.countTransactions({ address: "0:abababababababababababababababababababababababababababababababab", afterLt: true });
      chain.countTransaction({ address: "0:abababababababababababababababababababababababababababababababab", afterLt: 5n });
    `;
    const errors = await compile("misuses", program);
    for (const line of [4, 5, 6, 7]) expect(errors).toContain(`misuses.ts(${line},`);
  });
});
