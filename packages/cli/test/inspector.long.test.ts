/** The MCP project's own inspector, from npm, uses the server of the installed command. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { startMock } from "@chain-query/mock";
import { operations, operationsById } from "@chain-query/openapi/operations";
import { sharedFolder } from "@chain-query/testing/folders";
import { installTarballs } from "@chain-query/testing/services";
import { beforeAll, expect, test } from "vitest";

const run = promisify(execFile);
const names = ["cli", "client", "command-line", "format", "openapi", "proof", "types"].map((name) => `@chain-query/${name}`);
const folder = sharedFolder();

beforeAll(async () => {
  await installTarballs(folder, names, {
    others: { "@modelcontextprotocol/inspector": "2.12.0" },
    flags: ["--ignore-scripts"],
  });
});

/** What the inspector prints for a method of the protocol. It fails if a tool does. */
async function inspect(url: string, method: string, ...args: string[]) {
  const bin = (name: string) => join(folder, "node_modules/.bin", name);
  const server = ["--cli", "-e", `CHAIN_QUERY_URL=${url}`, bin("chain-query"), "mcp"];
  // It keeps a catalog of servers at home.
  const options = { cwd: folder, env: { ...process.env, HOME: folder } };
  const { stdout } = await run(bin("mcp-inspector"), [...server, "--method", method, ...args], options).catch((error) => error);
  return JSON.parse(stdout);
}

test("lists the tools, and calls one", async () => {
  await using mock = await startMock();
  const { tools } = await inspect(mock.url, "tools/list");
  expect(tools.map(({ name }: { name: string }) => name)).toEqual([...operations.map(({ id }) => id), "walkTransactions"]);
  const [example] = operationsById.getAddressInformation.examples;
  const input = `address=${example?.request.body?.["address"]}`;
  const { content } = await inspect(mock.url, "tools/call", "--tool-name", "getAddressInformation", "--tool-arg", input);
  expect(JSON.parse(content[0].text)).toMatchObject({
    "@type": "raw.fullAccountState",
    balance: expect.stringMatching(/^\d+$/),
  });
  const failed = await inspect(mock.url, "tools/call", "--tool-name", "getAddressInformation", "--tool-arg", "address=EQ");
  expect(failed).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("Correct the input") }] });
});
