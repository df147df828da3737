import { operations, operationsById } from "@chain-query/openapi/operations";
import { responseTo } from "@chain-query/openapi/responses";
import { describe, expect, test } from "vitest";

const masterchain = { workchain: -1, shard: "-9223372036854775808" };
const alice = "EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi";
const notFound = (what: string) => ({
  status: 404,
  body: { ok: false, code: 404, reason: "block_pending", error: `block was not found: ${what} is past the head, 840` },
});

describe("responseTo", () => {
  test.for(operations)("gives the first documented response of $id", ({ id, examples: [first] }) => {
    const { body, query } = first?.request ?? {};
    const texts = Object.entries(query ?? {}).map(([name, value]) => [name, String(value)] as const);
    expect(responseTo(id, body ?? Object.fromEntries(texts))).toEqual(first?.response);
  });

  test.for<[what: string, selector: object]>([
    ["seqno 841", { seqno: 841 }],
    ["lt 1681000000", { lt: "1681000000" }],
    ["unixtime 1767326401", { unixtime: 1_767_326_401 }],
  ])("does not find a block by %s, which is past the head", ([what, selector]) => {
    expect(responseTo("lookupBlock", { ...masterchain, ...selector })).toEqual(notFound(what));
    const shard = { workchain: 0, shard: "4611686018427387904" };
    expect(responseTo("lookupBlock", { ...shard, ...selector })).toEqual(notFound(what));
  });

  test.for<[selector: object]>([[{ seqno: 840 }], [{ lt: "1680999999" }], [{ unixtime: 1_767_326_400 }]])(
    "finds a block by %j, which is not",
    ([selector]) => {
      expect(responseTo("lookupBlock", { ...masterchain, ...selector }).status).toBe(200);
    },
  );

  test("does not find an account as of a block past the head", () => {
    expect(responseTo("getAddressInformation", { address: alice, seqno: "841" })).toEqual(notFound("seqno 841"));
    expect(responseTo("getAddressInformation", { address: alice, seqno: "840" }).status).toBe(200);
  });

  test("repeats @extra, and applies an example with a header only with that header", () => {
    expect(responseTo("getConsensusBlock", { "@extra": "mine" }).body["@extra"]).toBe("mine");
    const known = operationsById.getAddressInformation.examples.find(({ condition }) => condition === "unknown-key");
    const { body, headers } = known?.request ?? { headers: {} };
    const lowerCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    expect(responseTo("getAddressInformation", body, lowerCase)).toEqual(known?.response);
    expect(responseTo("getAddressInformation", body).status).toBe(200);
  });
});
