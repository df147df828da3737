import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createClient } from "@chain-query/client";
import { startMock } from "@chain-query/mock";
import { type DocumentedExample, operations, operationsById } from "@chain-query/openapi/operations";
import { showIfFailed, until } from "@chain-query/testing/until";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, test, vi } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { toolCaller, tools } from "../src/mcp.ts";
import { completionScript } from "../src/program.ts";

const command = fileURLToPath(new URL(`../${manifest.bin["chain-query"]}`, import.meta.url));
const address = "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi";

const pastHead = ["lookupBlock", "--workchain", "-1", "--shard", "-9223372036854775808", "--seqno", "841"];

function start(
  url: string,
  ...args: string[]
): { child: ChildProcess; ended: Promise<{ code: number; stdout: string; stderr: string }> } {
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

const firstPage = Object(documented.find(({ operationId }) => operationId === "getTransactionsStd")?.response.body["result"]);

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
      expect(await response.json(), id).toMatchObject({ ok: true, result: JSON.parse(stdout) });
    }
  });

  test.for([
    [["getAddressInformation", "EQ"], 2, 'chain-query: getAddressInformation: address: got "EQ", expected an address'],
    [pastHead, 4, "chain-query: lookupBlock: block was not found: seqno 841 is past the head, 840"],
  ] as const)("%j exits with %d", async ([args, expected, message]) => {
    await using mock = await startMock();
    const { code, stdout, stderr } = await start(mock.url, ...args).ended;
    expect([code, stdout, stderr.startsWith(message)], stderr).toEqual([expected, "", true]);
  });

  test("exits with 1 if the URL is not that of the API, with 2 if the key cannot be sent, and with 3 if it is refused", async () => {
    await using mock = await startMock({ apiKeys: ["known"] });
    expect((await start(`${mock.url}/other`, "getMasterchainInfo").ended).code).toBe(1);
    vi.stubEnv("CHAIN_API_KEY", "ключ");
    const { code, stderr } = await start(mock.url, "getMasterchainInfo").ended;
    vi.stubEnv("CHAIN_API_KEY", "other");
    const refused = await start(mock.url, "getMasterchainInfo").ended;
    vi.unstubAllEnvs();
    expect([refused.code, refused.stderr]).toEqual([3, "chain-query: getMasterchainInfo: API key does not exist\n"]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^chain-query: createClient: apiKey must be .*\n$/)]);
  });

  test("ends a watch whose output has no reader", async () => {
    await using mock = await startMock();
    const { lt, hash } = firstPage.transactions[1].transaction_id;
    const { child, ended } = start(mock.url, "getTransactionsStd", address, "--watch", "--lt", lt, "--hash", hash);
    child.stdout?.destroy();
    expect((await ended).code).toBe(0);
  });

  test("exits with 75 if nothing listens, and with 130 at Ctrl-C while it watches", async () => {
    const mock = await startMock();
    const from = ["--lt", "1", "--hash", `${"A".repeat(43)}=`];
    const watching = start(mock.url, "getTransactionsStd", address, "--watch", ...from);
    await until(() => mock.requests.length > 0);
    watching.child.kill("SIGINT");
    expect((await watching.ended).code).toBe(130);
    await mock[Symbol.asyncDispose]();
    expect((await start(mock.url, "getMasterchainInfo").ended).code).toBe(75);
  });
});

/** The parts of a tool's result together. Fails the test if one of them is too long. */
async function wholeOf(call: ReturnType<typeof toolCaller>, name: string, inputs: object): Promise<string> {
  let [whole, cursor] = ["", undefined as string | undefined];
  do {
    const { content, isError } = await call(name, { ...inputs, cursor }, AbortSignal.timeout(60_000));
    const [{ text } = { text: "" }] = content as { text: string }[];
    expect([isError, Buffer.byteLength(text) <= 2_048], text).toEqual([undefined, true]);
    const [, part, next] = /^(.*?)(?:\n\[cut; the rest: cursor "(.*)"\])?$/s.exec(text) ?? [];
    whole += part;
    cursor = next;
  } while (cursor !== undefined);
  return whole;
}

describe("MCP server", () => {
  test("a client lists the tools and reads an account over stdio", async () => {
    await using mock = await startMock();
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [command, "mcp", "--url", mock.url] }));
    const { tools: listed } = await client.listTools();
    expect(listed.map(({ name }) => name)).toEqual([...operations.map(({ id }) => id), "walkTransactions"]);
    expect(new Set(listed.map(({ annotations }) => annotations?.readOnlyHint))).toEqual(new Set([true]));
    const result = await client.callTool({ name: "getAddressInformation", arguments: { address } });
    expect(JSON.stringify(result.content)).toContain("balance");
    await client.close();
  });

  test("the walk gives each transaction once, in parts", async () => {
    await using mock = await startMock();
    const chain = createClient({ baseUrl: mock.url });
    const lts: string[] = [];
    let cursor: string | undefined;
    do {
      const { content } = await toolCaller(chain)("walkTransactions", { address, cursor }, AbortSignal.timeout(60_000));
      const [{ text } = { text: "" }] = content as { text: string }[];
      lts.push(...[...text.matchAll(/^\{"lt":"(\d+)"/gm)].map(([, lt = ""]) => lt));
      cursor = /\[more: cursor "(.+)"\]$/.exec(text)?.[1];
    } while (cursor !== undefined);
    const all: string[] = [];
    for await (const { transaction_id } of chain.transactions({ address })) all.push(transaction_id.lt);
    expect(lts).toEqual(all);
    expect(all.length).toBeGreaterThan(4);
  });

  test("a transaction of the walk that is longer than a result is cut, too", async () => {
    await using mock = await startMock();
    const { transactions, ...page } = firstPage;
    const content = { "@type": "msg.dataText", text: Buffer.from("字".repeat(200)).toString("base64") };
    const message = { ...transactions[0].in_msg, msg_data: content };
    const long = { ...transactions[0], in_msg: message, out_msgs: Array.from({ length: 4 }, () => message) };
    const answer = { ok: true, result: { ...page, transactions: [long] } };
    mock.override("getTransactionsStd", () => ({ body: answer }));
    const call = toolCaller(createClient({ baseUrl: mock.url }));
    const whole = await wholeOf(call, "walkTransactions", { address });
    const [line = "", end] = whole.split("\n");
    expect([JSON.parse(line).lt, end]).toEqual([transactions[0].transaction_id.lt, "[the end of the history]"]);
  });

  test.for([
    [
      "lookupBlock",
      { workchain: -1, shard: "-9223372036854775808", seqno: 841 },
      "NOT_FOUND (block_pending): lookupBlock: block was",
    ],
    ["getAddressInformation", { address: "EQ" }, "INVALID_ARGUMENT: getAddressInformation: address: got "],
    ["getMasterchainInfo", { cursor: "part-9" }, 'the cursor "part-9" is unknown or too old'],
    ["getAddressInformation", {}, "INVALID_ARGUMENT: getAddressInformation: address must be a string, got undefined"],
    ["sendMessage", {}, 'there is no "sendMessage"'],
    // A method of the client that is no operation.
    ["transactions", { address }, 'there is no "transactions"'],
  ] as const)("%s %j is an error with reason and advice: %s", async ([name, inputs, message]) => {
    await using mock = await startMock();
    const call = toolCaller(createClient({ baseUrl: mock.url }));
    const { isError, content } = await call(name, inputs, AbortSignal.timeout(60_000));
    expect([isError, JSON.stringify(content).includes(JSON.stringify(message).slice(1, -1))], JSON.stringify(content)).toEqual([
      true,
      true,
    ]);
  });

  test("results have at most 2,048 bytes, and the parts of a cut one follow each other", async () => {
    await using mock = await startMock();
    const chain = createClient({ baseUrl: mock.url });
    const call = toolCaller(chain);
    for (const { id, inputs } of requests) {
      const whole = await wholeOf(call, id, inputs);
      expect(Object.keys(JSON.parse(whole)).length, id).toBeGreaterThan(0);
    }
  });
});

test("bash completes commands and their options", () => {
  const script = `${completionScript("bash")}
    for line in "getTrans" "getTransactionsStd --wa"; do
      COMP_WORDS=(chain-query $line); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _chain_query; echo "\${COMPREPLY[*]}"
    done`;
  expect(execFileSync("bash", ["-c", script], { encoding: "utf8" })).toBe("getTransactionsStd\n--watch\n");
});

test("all tool definitions together have at most 7,500 bytes, fewer than 2,500 tokens of three bytes", () => {
  expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(7_500);
});
