/** The mock refuses what the service on the chain of the examples refuses, in the same words. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tellStory } from "@chain-query/local-chain/story";
import { answerTo } from "@chain-query/openapi/answers";
import { type OperationId, operationsById } from "@chain-query/openapi/operations";
import { parseServeOptions, serve } from "@chain-query/server";
import { afterAll, beforeAll, expect, test } from "vitest";

const masterchain = { workchain: -1, shard: "-9223372036854775808" };
const half = { workchain: 0, shard: "4611686018427387904" };
const alice = "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi";

const requests: readonly (readonly [OperationId, Readonly<Record<string, unknown>>])[] = [
  ...[masterchain, half].flatMap((shard) =>
    [{ seqno: 841 }, { seqno: 2_000_000 }, { lt: "1681000000" }, { lt: "9000000000000" }, { unixtime: 1_767_326_401 }].map(
      (selector) => ["lookupBlock", { ...shard, ...selector }] as const,
    ),
  ),
  ["getAddressInformation", { address: alice, seqno: "841" }],
  ["getAddressInformation", { address: alice.replace("Q", "R") }],
  ["getAddressInformation", { address: "EQ" }],
  ["getTransactionsStd", { address: "0:12", limit: "0" }],
  ["lookupBlock", masterchain],
  ["getConsensusBlock", { surplus: 1 }],
];

let folder: string;
const answers: { readonly status: number; readonly error: unknown }[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chain-query-words-"));
  const flags = ["--port=0", "--no-produce", "--keyless-rate=0", "--log-level=silent", `--chain=${join(folder, "chain")}`];
  await tellStory(join(folder, "chain"), async (chapter) => {
    if (chapter !== "head") return;
    const service = await serve(parseServeOptions(flags, {}));
    for (const [operationId, input] of requests) answers.push(await ask(service.url, operationId, input));
    await service.close();
  });
});
afterAll(() => rm(folder, { recursive: true }));

async function ask(url: string, operationId: OperationId, input: (typeof requests)[number][1]) {
  const { method, path } = operationsById[operationId];
  const query = new URLSearchParams(Object.entries(input).map(([name, value]): [string, string] => [name, String(value)]));
  const response =
    method === "GET"
      ? await fetch(`${url}${path}?${query}`)
      : await fetch(`${url}${path}`, {
          method,
          headers: { "content-type": "application/json" },
          body: JSON.stringify(input),
        });
  const { error } = (await response.json()) as { error?: unknown };
  return { status: response.status, error };
}

test.for(requests.map(([operationId, input], index) => ({ operationId, input, index })))(
  "$operationId $input",
  ({ operationId, input, index }) => {
    const { status, body } = answerTo(operationId, input);
    expect(status).toBeGreaterThan(400);
    expect({ status, error: body["error"] }).toEqual(answers[index]);
  },
);
