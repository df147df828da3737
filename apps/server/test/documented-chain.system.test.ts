/** A service that makes a new chain answers the examples of the contract as they are documented. */
import { join } from "node:path";
import { judgeService } from "@chain-query/conformance";
import { CHAPTERS } from "@chain-query/local-chain/story";
import { operations } from "@chain-query/openapi/operations";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resultOf, until } from "./fixtures/ask.ts";
import { type RunningCommand, start } from "./fixtures/command.ts";
import { temporaryFolder } from "./fixtures/service.ts";

const folder = temporaryFolder();
let command: RunningCommand;
let url: string;
/** What /readyz answers, in order and once each. */
const readiness: { readonly status: number; readonly error?: string }[] = [];

const readReadiness = async (): Promise<void> => {
  const answer = await fetch(`${url}/readyz`);
  const { error } = (await answer.json()) as { error?: string };
  if (readiness.at(-1)?.error !== error || readiness.length === 0)
    readiness.push({ status: answer.status, ...(error === undefined ? {} : { error }) });
};

const headOf = async (): Promise<number> => (await resultOf(url, "getMasterchainInfo")).last.seqno;

beforeAll(async () => {
  const flags = ["--port=0", "--block-interval=1s", "--keyless-rate=0"];
  command = start(...flags, "--chain", join(folder.path, "chain"));
  url = await command.url;
  // Some blocks after the story, with traffic.
  await until(async () => {
    await readReadiness();
    return (await headOf()) >= CHAPTERS.head + 3 || undefined;
  });
});

afterAll(async () => {
  await command?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** Operations whose answer is the head of the chain. */
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

  test("is ready when it has the documented history, and says so before", () => {
    const { status } = readiness.pop() ?? {};
    expect(status).toBe(200);
    expect(readiness.length).toBeGreaterThan(0);
    const unfinished = /^the documented history is being made: block \d+ of 840; documented accounts may be empty until then$/;
    for (const one of readiness) expect(one).toEqual({ status: 503, error: expect.stringMatching(unfinished) });
  });

  test("passes the conformance kit with the documented requests", async () => {
    const { results } = await judgeService({ baseUrl: url, profile: "examples", fuzz: 25, seed: 1 });
    expect(results.length).toBeGreaterThan(200);
    expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
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
