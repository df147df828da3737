/** The client and the validator read the contract's examples and, if present, the recorded responses of real deployments. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type ChainClient, createClient } from "@chain-query/client";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { afterAll, expect, test } from "vitest";
import { operationIds, validateBodies } from "../../src/index.ts";
import { has } from "../../src/json.ts";
import { listening } from "../fake-service/serve.ts";
import { noRecordedData, recordedFolder } from "./sample-bodies.ts";

const folder = recordedFolder("recorded");
const absent = !existsSync(folder);

const address = `0:${"b".repeat(64)}`;
const message = { source: address, destination: address, createdLt: "1" };
const calls: Record<string, (client: ChainClient) => Promise<unknown>> = {
  getAddressInformation: (client) => client.getAddressInformation({ address }),
  getConsensusBlock: (client) => client.getConsensusBlock(),
  getMasterchainInfo: (client) => client.getMasterchainInfo(),
  getOutMsgQueueSize: (client) => client.getOutMsgQueueSize(),
  getTransactionsStd: (client) => client.getTransactionsStd({ address }),
  lookupBlock: (client) => client.lookupBlock({ workchain: -1, shard: "-9223372036854775808", seqno: 1 }),
  tryLocateResultTx: (client) => client.tryLocateResultTx(message),
  tryLocateSourceTx: (client) => client.tryLocateSourceTx(message),
};

/** The bodies of the server's responses; the first segment of a path is the index of one. */
const bodies: unknown[] = [];
const server = await listening(({ url }, response) => {
  const body = bodies[Number(url?.split("/")[1])];
  response.setHeader("content-type", "application/json").end(JSON.stringify(body));
});
afterAll(() => server[Symbol.asyncDispose]());

async function expectClientReads(operation: string, body: unknown): Promise<void> {
  const index = bodies.push(body) - 1;
  const result = await calls[operation]?.(createClient({ baseUrl: `${server.url}/${index}` }));
  expect(result).toEqual(has(body, "result") ? body["result"] : undefined);
  expect(result).toBeTypeOf("object");
}

test.each(examples.filter(({ response }) => response.status === 200))(
  "the client reads $operationId, $condition",
  async ({ operationId, response }) => {
    await expectClientReads(operationId, response.body);
  },
);

test("the client reads every recorded success", async ({ skip }) => {
  skip(absent, noRecordedData("recorded"));
  const { files } = await validateBodies(fileURLToPath(folder));
  for (const { operation, file } of files.filter((one) => operationIds.includes(one.operation))) {
    const body: unknown = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
    await expectClientReads(operation, has(body, "ok") ? body : { ok: true, result: body });
  }
});

test("all 38 recorded bodies are validated, and every deviation is a known one", async ({ skip }) => {
  skip(absent, noRecordedData("recorded"));
  const report = await validateBodies(fileURLToPath(folder));
  expect(report.totals).toMatchObject({ bodies: 38, unexplained: 0 });
  expect(report.skipped).toEqual(["other"]);
});

test("the recorded bodies of the described generation conform", async ({ skip }) => {
  skip(absent, noRecordedData("recorded"));
  const index = readFileSync(new URL("INDEX.md", folder), "utf8");
  const described = [...index.matchAll(/^\| (\S+\.json) .*C\+\+/gm)]
    .map(([, file]) => file)
    .filter((file) => file !== undefined && !file.startsWith("other/"));
  expect(described.length).toBeGreaterThan(2);
  const report = await validateBodies(fileURLToPath(folder));
  for (const file of described) {
    expect(report.files.find((found) => found.file === file)).toMatchObject({ outcome: "conforms", deviations: [] });
  }
});
