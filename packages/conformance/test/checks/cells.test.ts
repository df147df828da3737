/** The bags of cells of the contract's examples and, if present, of real networks. */
import { existsSync, readFileSync } from "node:fs";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { describe, expect, test } from "vitest";
import { headerInCell, rootHashOrError } from "../../src/checks/live/cells.ts";
import { has, isObject } from "../../src/json.ts";
import { noRecordedData, recordedFolder } from "../body/sample-bodies.ts";

/** Every bag of cells of the examples with its documented hash. */
const documented = examples.flatMap(({ operationId, condition, response }) =>
  [...hashedCellsIn(response.body)].map(([boc, hash], index) => ({ name: `${operationId}.${condition} ${index}`, boc, hash })),
);

describe("the root hash of a bag of cells", () => {
  test.each(documented)("is the documented one: $name", ({ boc, hash }) => {
    expect(rootHashOrError(boc)).toBe(hash);
  });

  test("cannot be computed if there are two roots, or a cell refers to itself", () => {
    const twoRoots = Buffer.from("b5ee9c72010102020004000100000000", "hex").toString("base64");
    expect(rootHashOrError(twoRoots)).toBe("not a bag of cells: it has 2 roots, expected 1");
    const cycle = Buffer.from("b5ee9c7201010101000300010000", "hex").toString("base64");
    expect(rootHashOrError(cycle)).toMatch(/^not a bag of cells: /);
  });
});

test("the header of a transaction is read from its cell", () => {
  const page = examples.find(
    ({ operationId, condition }) => operationId === "getTransactionsStd" && condition === "first-page",
  );
  const result = has(page?.response.body, "result") ? page.response.body["result"] : undefined;
  const transactions = has(result, "transactions") ? (result["transactions"] as { data: string; utime: number }[]) : [];
  for (const transaction of transactions) {
    expect(headerInCell(transaction)).toMatchObject({ utime: String(transaction.utime) });
  }
  expect(transactions).not.toEqual([]);
  expect(headerInCell({ data: "te6cckEBAQEAAgAAAEysuc0=" })).toBeUndefined();
});

test("the cells of real networks have their known hashes", ({ skip }) => {
  const folder = recordedFolder("bocs");
  skip(!existsSync(folder), noRecordedData("bocs"));
  const index = readFileSync(new URL("INDEX.md", folder), "utf8");
  const known = [...index.matchAll(/^\| (\S+\.boc) .*?(?:hash|root_hash) ?=? ?([A-Za-z0-9+/]{43}=)/gm)];
  expect(known).not.toEqual([]);
  for (const [, file = "", hash] of known) {
    expect([file, rootHashOrError(readFileSync(new URL(file, folder)).toString("base64"))]).toEqual([file, hash]);
  }
});

function* hashedCellsIn(value: unknown): Generator<[string, string]> {
  if (Array.isArray(value)) for (const item of value) yield* hashedCellsIn(item);
  if (!isObject(value)) return;
  const { data, transaction_id, msg_data, body_hash } = value;
  if (typeof data === "string" && has(transaction_id, "hash")) yield [data, String(transaction_id["hash"])];
  if (has(msg_data, "body") && msg_data["body"] !== "") yield [String(msg_data["body"]), String(body_hash)];
  for (const member of Object.values(value)) yield* hashedCellsIn(member);
}
