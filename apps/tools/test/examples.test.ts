import examples from "@chain-query/openapi/examples.json" with { type: "json" };
import { Cell } from "@ton/core";
import { describe, expect, test } from "vitest";

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
