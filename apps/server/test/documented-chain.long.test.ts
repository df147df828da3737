/** The service answers the examples of the contract as they are documented, on the chain that it makes at its first start. */

import { join } from "node:path";
import { validateService } from "@chain-query/conformance";
import { openProducer } from "@chain-query/local-chain";
import { openChain } from "@chain-query/local-chain/reader";
import { continueScenario, createScenario } from "@chain-query/local-chain/scenario";
import { operations } from "@chain-query/openapi/operations";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { notReady } from "../src/status/readiness.ts";
import { readinessOf } from "./fixtures/ask.ts";
import { serve, startLiteNetwork, waitForHead } from "./fixtures/lite-network.ts";
import { startService, temporaryFolder } from "./fixtures/service.ts";
import { differences, responseTo } from "./lite/compare.ts";
import { documentedRequests } from "./lite/parity.ts";

const resources = new AsyncDisposableStack();
const folder = resources.use(temporaryFolder());
const chain = join(folder.path, "chain");
let head: number;
let url: string;

beforeAll(async () => {
  await createScenario(chain);
  const producer = await openProducer(chain);
  for await (const { seqno } of continueScenario(producer)) head = seqno;
  await producer.close();
  url = resources.use(await startService({ source: { kind: "chain", folder: chain } })).url;
});
afterAll(() => resources.disposeAsync());

/** Operations whose response is the head of the chain. */
const ofTheHead = ["getMasterchainInfo", "getConsensusBlock", "getOutMsgQueueSize"];

const lasting = operations
  .flatMap(({ examples }) => examples)
  .filter(({ operationId, condition, response }) => {
    const isOfAKey = condition.endsWith("-key");
    const isOfItsTime = condition === "pruned-history" || condition === "not-yet-processed";
    return !ofTheHead.includes(operationId) && !isOfAKey && !isOfItsTime && response.status !== 429;
  });

describe("the documented chain", () => {
  test.for(lasting.map((example) => [`${example.operationId} ${example.condition}`, example] as const))(
    "answers as documented: %s",
    async ([, { request, response }]) => {
      const answer = await responseTo(url, request);
      expect([answer.status, lastingPart(await answer.json())]).toEqual([response.status, lastingPart(response.body)]);
    },
  );

  test("is ready when it has the documented history, and says so before", async () => {
    expect(await readinessOf(url)).toEqual([200, undefined]);
    const unfinished = join(folder.path, "unfinished");
    await createScenario(unfinished);
    const producer = await openProducer(unfinished);
    for await (const { seqno } of continueScenario(producer)) if (seqno === 2) break;
    await producer.close();
    const source = openChain(unfinished);
    const reason = /^the documented history is being made: block \d+ of 840; documented accounts may be empty until then$/;
    expect(await notReady({ source, blockInterval: 5, maxHeadAge: 0 }, new AbortController().signal)).toMatch(reason);
    await source.close();
  });

  test("passes the conformance kit", async () => {
    const { results } = await validateService({ baseUrl: url, profile: "examples", fuzz: 25, seed: 1 });
    expect(results.length).toBeGreaterThan(200);
    expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  });

  test("is read alike from lite servers", async () => {
    await using network = await startLiteNetwork(chain, 3);
    await using command = serve(folder.path, network.config, "--lite-rate", "10000", "--retention", "48h");
    const lite = await command.url;
    await waitForHead(lite, head);
    expect(await differences([url, lite], documentedRequests)).toMatchObject({ different: [] });
  });
});

/** Without the request id, the head as of which an account was read, and the head that an error names. */
function lastingPart(body: unknown): unknown {
  const text = JSON.stringify(body, (name, value: unknown) => {
    if (["@extra", "block_id", "sync_utime"].includes(name)) return undefined;
    return name === "error" ? String(value).replace(/past the head, \d+/, "past the head") : value;
  });
  return JSON.parse(text);
}
