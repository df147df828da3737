import { readFileSync } from "node:fs";
import { join } from "node:path";
import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import type { OperationId } from "@chain-query/openapi/operations";
import { responseTo } from "@chain-query/openapi/responses";
import { Cell } from "@ton/core";
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
    expect(files.size).toBeGreaterThan(50);
    for (const [path, text] of files) expect(text, path).toBe(readFileSync(join(components, path), "utf8"));
  });

  test("cover every documented success", () => {
    const successes = examples.filter(({ response }) => response.status === 200);
    for (const { operationId, condition } of successes)
      expect([...files.keys()]).toContain(`examples/${operationId}.${condition}.yaml`);
  });
});

describe("the mock sends the same errors as the service", () => {
  test.for(requests.map(([operationId, input], index) => ({ operationId, input, index })))(
    "$operationId $input",
    ({ operationId, input, index }) => {
      const { status, body } = responseTo(operationId, input);
      expect(status).toBeGreaterThan(400);
      expect({ status, error: body["error"] }).toEqual(errors[index]);
    },
  );
});

interface Found {
  readonly where: string;
  readonly boc: string;
  readonly hash: string;
}

/** Every bag of cells with its hash beside it. */
function hashedIn(node: unknown, where: string): Found[] {
  if (typeof node !== "object" || node === null) return [];
  const {
    data,
    transaction_id: id,
    msg_data: content,
    body_hash,
  } = node as Record<string, Record<string, unknown> | undefined>;
  const own: Found[] = [];
  if (id && data) own.push({ where: `${where}.data`, boc: String(data), hash: String(id["hash"]) });
  if (content?.["body"]) own.push({ where: `${where}.msg_data.body`, boc: String(content["body"]), hash: String(body_hash) });
  return [...own, ...Object.entries(node).flatMap(([name, part]) => hashedIn(part, `${where}.${name}`))];
}

describe("a bag of cells in an example", () => {
  const found = examples.flatMap(({ operationId, condition, response }) =>
    hashedIn(response.body, `${operationId}.${condition}`).filter(({ where }) => !where.includes("last_transaction_id")),
  );

  test("exists", () => {
    expect(found.length).toBeGreaterThan(10);
  });

  test.each(found)("hashes to the hash beside it: $where", ({ boc, hash }) => {
    const [cell] = Cell.fromBoc(Buffer.from(boc, "base64"));
    expect(cell?.hash().toString("base64")).toBe(hash);
  });

  test.each(found.filter(({ where }) => where.endsWith("].data") || where.endsWith(".data")))(
    "contains the messages whose hashes the example has: $where",
    ({ boc, where }) => {
      const [cell] = Cell.fromBoc(Buffer.from(boc, "base64"));
      const messages = new Set(cellsOf(cell ?? Cell.EMPTY).map((one) => one.hash().toString("base64")));
      for (const hash of messageHashesAt(where)) expect(messages).toContain(hash);
    },
  );
});

function cellsOf(cell: Cell): Cell[] {
  return [cell, ...cell.refs.flatMap(cellsOf)];
}

/** The hashes of the messages of the transaction at a place such as `tryLocateSourceTx.transfer.result.data`. */
function messageHashesAt(where: string): string[] {
  const [operationId, condition, ...path] = where.split(".").slice(0, -1);
  const example = examples.find((one) => one.operationId === operationId && one.condition === condition);
  const transaction = path.reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], example?.response.body);
  const { in_msg, out_msgs } = transaction as { in_msg?: { hash: string }; out_msgs: { hash: string }[] };
  return [...(in_msg ? [in_msg.hash] : []), ...out_msgs.map(({ hash }) => hash)];
}
