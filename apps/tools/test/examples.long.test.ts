import { readFileSync } from "node:fs";
import { join } from "node:path";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import type { OperationId } from "@chain-query/openapi/operations";
import { responseTo } from "@chain-query/openapi/responses";
import { beforeAll, describe, expect, test } from "vitest";
import { asker, exampleFiles, type FileTexts } from "../src/examples/example-files.ts";
import { root } from "../src/workspace/packages.ts";

const components = join(root, "openapi/components");

const masterchain = { workchain: -1, shard: "-9223372036854775808" };
const half = { workchain: 0, shard: "4611686018427387904" };
const alice = "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi";

/** Invalid requests, and requests for missing data. */
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

let files: FileTexts;
const errors: { readonly status: number; readonly error: unknown }[] = [];

beforeAll(async () => {
  files = await exampleFiles(components, async (url) => {
    const ask = asker(url);
    for (const [operationId, input] of requests) {
      const { status, body } = await ask(operationId, input);
      errors.push({ status, error: body["error"] });
    }
  });
});

describe("the examples of the contract", () => {
  test("are the responses of the service on the example chain; pnpm examples writes them", () => {
    expect(files.size).toBeGreaterThan(35);
    for (const [path, text] of files) expect(text, path).toBe(readFileSync(join(components, path), "utf8"));
  });

  test("cover every documented success", () => {
    const successes = examples.filter(({ response }) => response.status === 200);
    for (const { operationId, condition } of successes)
      expect([...files.keys()]).toContain(`examples/${operationId}.${condition}.yaml`);
  });
});

test.for(requests.map(([operationId, input], index) => ({ operationId, input, index })))(
  "the mock sends the same errors as the service $operationId $input",
  ({ operationId, input, index }) => {
    const { status, body } = responseTo(operationId, input);
    expect(status).toBeGreaterThan(400);
    expect({ status, error: body["error"] }).toEqual(errors[index]);
  },
);
