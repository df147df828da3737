/** Real networks' cells, where their folder lies beside the checkout; the contract's examples always. */
import { existsSync, readFileSync } from "node:fs";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { describe, expect, test } from "vitest";
import { bagOfCells, rootHashOf } from "../src/boc/bag-of-cells.ts";
import { hashOf } from "../src/boc/cell.ts";
import { has, isObject } from "../src/json.ts";

const folder = new URL("../../../../shared/bocs/", import.meta.url);

/** Every pair of a bag of cells and the hash that the contract's examples say its root has. */
const documented = examples.flatMap(({ operationId, condition, response }) =>
  [...hashedCellsIn(response.body)].map(([boc, hash], index) => ({ name: `${operationId}.${condition} ${index}`, boc, hash })),
);

describe("rootHashOf", () => {
  test.each(documented)("gives the hash that the contract documents: $name", ({ boc, hash }) => {
    expect(rootHashOf(boc)).toBe(hash);
  });

  test("is tried on transactions and on message bodies", () => {
    expect(documented.length).toBeGreaterThan(10);
  });
});

describe("bagOfCells", () => {
  const bytes = Buffer.from(documented[0]?.boc ?? "", "base64");

  test("refuses bytes that were changed anywhere", () => {
    for (const index of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => bagOfCells(changed), `byte ${index}`).toThrow();
    }
  });

  test("refuses bytes that end early or late", () => {
    for (const length of bytes.keys()) expect(() => bagOfCells(bytes.subarray(0, length)), `${length} bytes`).toThrow();
    expect(() => bagOfCells(Buffer.concat([bytes, Buffer.alloc(1)]))).toThrow(/promises \d+ bytes/);
  });

  test("refuses a cell that refers to itself", () => {
    expect(() => bagOfCells(Buffer.from("b5ee9c720101010100030001" + "0000", "hex"))).toThrow();
    expect(() => bagOfCells(Buffer.from("b5ee9c72010101010003000100" + "00", "hex"))).toThrow();
  });
});

if (existsSync(folder)) {
  const index = readFileSync(new URL("INDEX.md", folder), "utf8");
  const named = [...index.matchAll(/^\| (\S+\.boc) .*?(?:hash|root_hash) ?=? ?([A-Za-z0-9+/]{43}=)/gm)].map(
    ([, file, hash]) => ({ file, hash }),
  );

  test.each(named)("a real network's $file has the hash that is known of it", ({ file, hash }) => {
    const [root] = bagOfCells(readFileSync(new URL(file ?? "", folder)));
    expect(root && Buffer.from(hashOf(root)).toString("base64")).toBe(hash);
  });

  test("the proofs of a real network hold: a Merkle proof carries the hash of what it proves", () => {
    const roots = bagOfCells(readFileSync(new URL("accounts/toncore_accountProof.boc", folder)));
    expect(roots).toHaveLength(2);
    for (const root of roots) {
      expect(root.isExotic).toBe(true);
      const [proven] = root.refs;
      expect(proven && Buffer.from(proven.identities[0]?.hash ?? [])).toEqual(Buffer.from(root.bytes.subarray(1, 33)));
    }
  });
}

function* hashedCellsIn(value: unknown): Generator<[string, string]> {
  if (Array.isArray(value)) for (const item of value) yield* hashedCellsIn(item);
  if (!isObject(value)) return;
  const { data, transaction_id, msg_data, body_hash } = value;
  if (typeof data === "string" && has(transaction_id, "hash")) yield [data, String(transaction_id["hash"])];
  if (has(msg_data, "body") && msg_data["body"] !== "") yield [String(msg_data["body"]), String(body_hash)];
  for (const member of Object.values(value)) yield* hashedCellsIn(member);
}
