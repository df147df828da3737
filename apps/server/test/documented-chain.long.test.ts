/** The service answers the examples of the contract as they are documented, on the chain that it makes at its first start. */

import { join } from "node:path";
import { validateService } from "@chain-query/conformance";
import { openProducer } from "@chain-query/local-chain";
import { continueScenario, createScenario } from "@chain-query/local-chain/scenario";
import { operations } from "@chain-query/openapi/operations";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLog } from "../src/observability/log.ts";
import { startHttpProcess } from "../src/processes/http-process.ts";
import { readinessOf } from "./fixtures/ask.ts";
import { serve } from "./fixtures/lite-command.ts";
import { startLiteNetwork, waitForHead } from "./fixtures/lite-network.ts";
import { chainOptions, serviceOptions, startService, temporaryFolder } from "./fixtures/service.ts";
import { differences } from "./lite/compare.ts";
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
      const { method, path, query, body } = request;
      const answer = await fetch(
        `${url}${path}?${new URLSearchParams(Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)]))}`,
        {
          method,
          ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
        },
      );
      expect([answer.status, lastingPart(await answer.json())]).toEqual([response.status, lastingPart(response.body)]);
    },
  );

  test("is ready when it has the documented history, and says so before", async () => {
    expect(await readinessOf(url)).toEqual([200, undefined]);
    // Without a producer, which would complete it.
    const unfinishedChain = join(folder.path, "unfinished");
    await createScenario(unfinishedChain);
    const producer = await openProducer(unfinishedChain);
    for await (const { seqno } of continueScenario(producer)) if (seqno === 2) break;
    await producer.close();
    const source = { ...chainOptions, produce: true, folder: unfinishedChain, keys: join(folder.path, "keys") };
    const options = { ...serviceOptions, source };
    const node = await startHttpProcess(options, {
      identity: undefined,
      log: createLog("silent"),
    });
    const reason = /^the documented history is being made: block \d+ of 840; documented accounts may be empty until then$/;
    expect(await readinessOf(node.url)).toEqual([503, expect.stringMatching(reason)]);
    await node.close();
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
