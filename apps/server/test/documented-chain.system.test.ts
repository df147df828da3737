/** A service that makes a new chain answers the examples of the contract as they are documented. */

import { join } from "node:path";
import { openProducer } from "@chain-query/local-chain";
import { continueScenario, createScenario, SCENARIO_STEPS } from "@chain-query/local-chain/scenario";
import { operations } from "@chain-query/openapi/operations";
import { until } from "@chain-query/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLog } from "../src/observability/log.ts";
import { startNode } from "../src/processes/node.ts";
import { resultOf } from "./fixtures/ask.ts";
import { type RunningCommand, start } from "./fixtures/command.ts";
import { chainOptions, serviceOptions, temporaryFolder } from "./fixtures/service.ts";

const folder = temporaryFolder();
let command: RunningCommand;
let url: string;
/** Milliseconds for the 840 blocks of the documented history, which take seconds on an idle machine. */
const minutes = 600_000;
const headOf = async (): Promise<number> => (await resultOf(url, "getMasterchainInfo")).last.seqno;

beforeAll(async () => {
  const flags = ["--port=0", "--block-interval=1s", "--keyless-rate=0"];
  command = start(...flags, "--chain", join(folder.path, "chain"));
  url = await command.url;
  await until(headOf, (head) => head >= SCENARIO_STEPS.head, minutes);
}, minutes);

afterAll(async () => {
  await command?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** Operations whose response is the head of the chain. */
const ofTheHead = ["getMasterchainInfo", "getConsensusBlock", "getOutMsgQueueSize"];

const lasting = operations
  .flatMap(({ examples }) => examples)
  .filter(({ operationId, condition, response }) => {
    const isOfAKey = condition.endsWith("-key");
    const isOfItsTime = condition === "pruned-history" || condition === "not-yet-processed";
    return !ofTheHead.includes(operationId) && !isOfAKey && !isOfItsTime && response.status !== 429;
  });

describe("a new chain", () => {
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
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    // Without a producer, which would complete it.
    const chain = join(folder.path, "unfinished");
    await createScenario(chain);
    const producer = await openProducer(chain);
    for await (const { seqno } of continueScenario(producer)) if (seqno === 2) break;
    await producer.close();
    const source = { ...chainOptions, produce: true, folder: chain, keys: join(folder.path, "keys") };
    const options = { ...serviceOptions, source };
    const node = await startNode(options, {
      identity: undefined,
      log: createLog("silent"),
    });
    const unfinished = await fetch(`${node.url}/readyz`);
    expect([unfinished.status, await unfinished.json()]).toEqual([
      503,
      {
        ok: false,
        code: 503,
        error: expect.stringMatching(
          /^the documented history is being made: block \d+ of 840; documented accounts may be empty until then$/,
        ),
      },
    ]);
    await node.close();
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
