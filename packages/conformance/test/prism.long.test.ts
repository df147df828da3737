/** Runs the stock Prism command on the contract, and calls every operation with the client. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type ChainClient, createClient } from "@chain-query/client";
import { validate } from "@chain-query/client/validate";
import { operations } from "@chain-query/openapi/operations";
import { freePort } from "@chain-query/testing/services";
import { showIfFailed, until } from "@chain-query/testing/until";
import { afterAll, beforeAll, expect, test } from "vitest";

let prism: ChildProcess;
let chain: ChainClient;

beforeAll(async () => {
  const cli = fileURLToPath(import.meta.resolve("@stoplight/prism-cli"));
  const contract = fileURLToPath(import.meta.resolve("@chain-query/openapi/openapi.json"));
  const port = await freePort();
  prism = spawn(process.execPath, [cli, "mock", contract, "--port", `${port}`], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  prism.stdout?.on("data", (chunk) => {
    output += String(chunk);
  });
  showIfFailed("prism", () => output);
  await until(() => {
    if (prism.exitCode !== null) throw new Error(`prism ended: ${output}`);
    return output.includes("Prism is listening");
  });
  chain = createClient({ baseUrl: `http://127.0.0.1:${port}`, rateLimit: false, validate });
});

afterAll(async () => {
  prism.kill();
  await once(prism, "close");
});

test.for(operations)("$id returns its first example", async ({ id, examples }) => {
  const { request, response } = examples[0] ?? expect.unreachable();
  const input = Object.entries({ ...request.query, ...request.body }).map(([name, value]) => {
    return [name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()), value];
  });
  const methods = chain as unknown as Readonly<Record<string, (input: object) => Promise<unknown>>>;
  expect(await methods[id]?.(Object.fromEntries(input))).toEqual(response.body["result"]);
});

test("an invalid request fails with 422", async () => {
  // Calls of the client's methods are checked before they are sent.
  const { response } = await chain.raw.GET("/api/v2/getTransactionsStd", { params: { query: { address: "nonsense" } } });
  expect(response.status).toBe(422);
});
