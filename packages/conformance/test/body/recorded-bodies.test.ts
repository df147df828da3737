/** The bodies that real deployments answered, where their folder lies beside the checkout; the contract's examples always. */
import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { type ChainClient, createClient } from "@chain-query/client";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { afterAll, beforeAll, expect, test } from "vitest";
import { judgeBodies, operationIds } from "../../src/index.ts";
import { has } from "../../src/json.ts";
import { address } from "./sample-bodies.ts";

const folder = new URL("../../../../../shared/recorded/", import.meta.url);
const present = existsSync(folder);
const report = present ? await judgeBodies(fileURLToPath(folder)) : undefined;

const readable: { operation: string; name: string; body: unknown }[] = [
  ...examples
    .filter(({ response }) => response.status === 200)
    .map(({ operationId, condition, response }) => ({ operation: operationId, name: condition, body: response.body })),
  ...(report?.files ?? [])
    .filter(({ operation }) => operationIds.includes(operation))
    .map(({ operation, file }) => ({ operation, name: file, body: parsed(file) })),
];

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

let server: Server;
let origin: string;

beforeAll(async () => {
  // The first part of the path says which body to answer, so that tests do not depend on each other.
  server = createServer(({ url }, response) => {
    const body = readable[Number(url?.split("/")[1])]?.body;
    response.setHeader("content-type", "application/json").end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

test.each(readable.map((body, index) => ({ ...body, index })))(
  "the client reads $operation, $name",
  async ({ operation, body, index }) => {
    const result = await calls[operation]?.(createClient({ baseUrl: `${origin}/${index}` }));
    expect(result).toEqual(has(body, "result") ? body["result"] : undefined);
    expect(result).toBeTypeOf("object");
  },
);

if (report !== undefined) {
  test("all 38 recorded bodies are judged, and nothing is unexplained", () => {
    expect(report.totals).toMatchObject({ bodies: 38, unexplained: 0 });
    expect(report.skipped).toEqual(["other"]);
  });

  const index = readFileSync(new URL("INDEX.md", folder), "utf8");
  const described = [...index.matchAll(/^\| (\S+\.json) .*C\+\+/gm)]
    .map(([, file]) => file)
    .filter((file) => file !== undefined && !file.startsWith("other/"));

  test.each(described)("%s, of the described generation, conforms", (file) => {
    expect(report.files.find((found) => found.file === file)).toMatchObject({ verdict: "conforms", deviations: [] });
  });

  test("there are bodies of the described generation", () => {
    expect(described.length).toBeGreaterThan(2);
  });
}

/** A recorded success as its whole envelope, also where the result alone was recorded. */
function parsed(file: string): unknown {
  const body: unknown = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
  return has(body, "ok") ? body : { ok: true, result: body };
}
