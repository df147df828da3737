import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createClient } from "@chain-query/client";
import { startMock } from "@chain-query/mock";
import { type DocumentedExample, operations, operationsById } from "@chain-query/openapi/operations";
import { showIfFailed, until } from "@chain-query/testing/until";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { toolCaller, toolsOf } from "../src/mcp.ts";

const command = fileURLToPath(new URL(`../${manifest.bin["chain-query"]}`, import.meta.url));
const address = "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi";

function start(url: string, ...args: string[]): { child: ChildProcess; ended: Promise<{ code: number; stdout: string; stderr: string }> } {
  const env = { ...process.env, CHAIN_QUERY_URL: url };
  const child = spawn(process.execPath, [command, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  showIfFailed(`chain-query ${args.join(" ")}`, () => output.stdout + output.stderr);
  return { child, ended: once(child, "close").then(([code]) => ({ code, ...output })) };
}

const documented: readonly DocumentedExample[] = operations.flatMap(({ examples }) => examples);

/** The first documented request of each operation, as inputs by their wire names. */
const requests = operations.map(({ id }) => {
  const example = documented.find(({ operationId, response }) => operationId === id && response.status === 200);
  if (example === undefined) throw new Error(`${id} has no documented request`);
  return { id, request: example.request, inputs: { ...example.request.query, ...example.request.body } };
});

describe("command", () => {
  test("prints the result of each operation as JSON", async () => {
    await using mock = await startMock();
    for (const { id, request, inputs } of requests) {
      const flags = Object.entries(inputs).flatMap(([name, value]) => {
        const isArgument = name === "address" && operationsById[id].inputs.filter(({ required }) => required).length === 1;
        return isArgument ? [String(value)] : [`--${name.replaceAll("_", "-")}`, String(value)];
      });
      const { code, stdout, stderr } = await start(mock.url, id, ...flags).ended;
      expect([code, stderr], id).toEqual([0, ""]);
      const { method, path, query, body } = request;
      const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
      const url = `${mock.url}${path}?${search.join("&")}`;
      const headers = { "content-type": "application/json" };
      const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      expect({ ok: true, result: JSON.parse(stdout) }, id).toEqual(await response.json());
    }
  });

  test.for([
    [["getAddressInformation", "EQ"], 2, "chain-query: <address>: expected an address"],
    [["tryLocateResultTx", "--source", address, "--destination", address, "--created-lt", "1"], 4, "chain-query: tryLocateResultTx: "],
  ] as const)("%j exits with %d", async ([args, expected, message]) => {
    await using mock = await startMock();
    const { code, stdout, stderr } = await start(mock.url, ...args).ended;
    expect([code, stdout, stderr.startsWith(message)], stderr).toEqual([expected, "", true]);
  });

  test("exits with 75 if nothing listens, and with 130 at Ctrl-C while it watches", async () => {
    const mock = await startMock();
    const watching = start(mock.url, "getTransactionsStd", address, "--watch", "--lt", "1", "--hash", "A".repeat(43).concat("="));
    await until(() => mock.requests.length > 0);
    watching.child.kill("SIGINT");
    expect((await watching.ended).code).toBe(130);
    await mock[Symbol.asyncDispose]();
    expect((await start(mock.url, "getMasterchainInfo").ended).code).toBe(75);
  });
});

describe("MCP server", () => {
  test("a client lists the tools and reads an account over stdio", async () => {
    await using mock = await startMock();
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [command, "mcp", "--url", mock.url] }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...operations.map(({ id }) => id), "walkTransactions"]);
    const result = await client.callTool({ name: "getAddressInformation", arguments: { address } });
    expect(JSON.stringify(result.content)).toContain("balance");
    await client.close();
  });

  test("results have at most 2,048 bytes, and the parts of a cut one follow each other", async () => {
    await using mock = await startMock();
    const chain = createClient({ baseUrl: mock.url });
    const call = toolCaller(chain);
    for (const { id, inputs } of requests) {
      let [whole, cursor] = ["", undefined as string | undefined];
      do {
        const { content, isError } = await call(id, { ...inputs, cursor }, AbortSignal.timeout(60_000));
        const [{ text } = { text: "" }] = content as { text: string }[];
        expect([isError, Buffer.byteLength(text) <= 2_048], text).toEqual([undefined, true]);
        const [, part, next] = /^(.*?)(?:\n\[cut; the rest: cursor "(.*)"\])?$/s.exec(text) ?? [];
        whole += part;
        cursor = next;
      } while (cursor !== undefined);
      expect(Object.keys(JSON.parse(whole)).length, id).toBeGreaterThan(0);
    }
  });
});

test("all tool definitions together have at most 9,000 bytes, which are fewer than 2,500 tokens", () => {
  expect(Buffer.byteLength(JSON.stringify(toolsOf(operations)))).toBeLessThanOrEqual(9_000);
});
