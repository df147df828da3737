import { type DocumentedExample, operations, operationsById } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { isAddress } from "../src/address.ts";
import { object, problems } from "./contract.ts";
import { isBagOfCells, rawAddress } from "./scenario.ts";

const examples = operations.flatMap((operation) => operation.examples);
const named = examples.map((example) => [`${example.operationId}.${example.condition}`, example] as const);

/** The examples of each operation: a typical response and the edge cases. */
const shown: Record<string, string[]> = {
  getAddressInformation: [
    "active 200",
    "uninitialized 200",
    "frozen 200",
    "as-of-block 200",
    "unknown-key 401",
    "other-network-key 403",
    "wrong-checksum 422",
  ],
  getConsensusBlock: ["current 200", "lagging 200"],
  getMasterchainInfo: ["head 200", "young-chain 200"],
  getOutMsgQueueSize: ["idle 200", "backlog 200"],
  getTransactionsStd: [
    "first-page 200",
    "next-page 200",
    "last-page 200",
    "empty-page 200",
    "lt-without-hash 422",
    "pruned-history 500",
  ],
  lookupBlock: ["head 200", "by-seqno 200", "by-lt 200", "by-unixtime 200", "past-head 404"],
  tryLocateResultTx: ["transfer 200", "not-found 404", "not-yet-processed 404"],
  tryLocateSourceTx: ["transfer 200", "external-message 404"],
};

describe("the examples", () => {
  test.each(Object.entries(shown))("of %s cover the listed conditions", (id, conditions) => {
    const found = examples.filter(({ operationId }) => operationId === id);
    expect(found.map(({ condition, response }) => `${condition} ${response.status}`)).toEqual(conditions);
  });

  test("leave out no operation", () => {
    expect(Object.keys(shown).sort()).toEqual(Object.keys(operationsById).sort());
  });

  test("show each response of the contract, and its status in the body", () => {
    for (const { id, responses } of operations) {
      for (const { status, schema, examples: shownHere } of responses) {
        expect(Object.keys(shownHere), `${id} ${status}`).not.toEqual([]);
        for (const { status: actual, value } of Object.values(shownHere)) {
          expect(problems(schema, value)).toEqual([]);
          if (actual !== 200) expect(value).toMatchObject({ code: actual });
          expect(String(actual)).toBe(status === "default" ? "542" : status);
        }
      }
    }
  });

  test("of responses that operations share fit any request", () => {
    const neutral = operationsById.getMasterchainInfo.responses
      .slice(1)
      .flatMap((response) => Object.entries(response.examples));
    expect(neutral.map(([condition]) => condition)).toEqual([
      "unknown-key",
      "other-network-key",
      "unreadable",
      "rate-limited",
      "internal",
      "node-timeout",
      "no-node",
    ]);
    for (const [, { value }] of neutral) expect(value).not.toHaveProperty("input");
  });
});

describe.each(named)("%s", (_, example) => {
  test("has a request that the contract accepts", () => {
    expect(requestProblems(example)).toEqual([]);
  });

  test("has a response that matches the schema of its status", () => {
    const { responses } = operationsById[example.operationId];
    const status = String(example.response.status);
    const response = responses.find((one) => one.status === status) ?? responses.find((one) => one.status === "default");
    expect(problems(response?.schema ?? {}, example.response.body)).toEqual([]);
  });

  test("has ok according to its status", () => {
    const { status, body } = example.response;
    expect(body).toMatchObject(status === 200 ? { ok: true } : { ok: false, code: status });
  });

  test("has hashes of 32 bytes in canonical base64", () => {
    const hashes = textsOf(example.response.body, [
      "hash",
      "root_hash",
      "file_hash",
      "state_root_hash",
      "body_hash",
      "frozen_hash",
    ]);
    for (const hash of hashes.filter((text) => text !== "")) {
      expect(Buffer.from(hash, "base64")).toHaveLength(32);
      expect(Buffer.from(hash, "base64").toString("base64")).toBe(hash);
    }
  });

  test("has whole bags of cells", () => {
    for (const text of textsOf(example.response.body, ["code", "data", "body", "init_state"]).filter((text) => text !== "")) {
      expect(isBagOfCells(Buffer.from(text, "base64")), text).toBe(true);
    }
  });

  test("has addresses with the right checksum, except in the example of a wrong one", () => {
    const ends = ["address", "account_address", "source", "destination"];
    const addresses = [example.request.query, example.request.body, example.response.body].flatMap((part) =>
      textsOf(part, ends),
    );
    for (const address of addresses.filter((text) => /^[\w+/-]{48}$/.test(text))) {
      expect(isAddress(address), address).toBe(example.condition !== "wrong-checksum");
    }
  });

  test("says the same account in both forms", () => {
    for (const transaction of objectsOf(example.response.body, "ext.transaction")) {
      const { account_address } = object(transaction["address"], "address");
      expect(rawAddress(String(account_address))).toBe(transaction["account"]);
    }
  });

  test("shows a comment as the text that its bytes are", () => {
    for (const { message, msg_data } of objectsOf(example.response.body, "ext.message")) {
      const { "@type": type, text } = object(msg_data, "msg_data");
      const comment = type === "msg.dataText" ? Buffer.from(String(text), "base64").toString("utf8") : undefined;
      expect(message).toBe(comment);
    }
  });
});

function requestProblems({ operationId, request }: DocumentedExample): string[] {
  const { method, path, request: schema, inputs } = operationsById[operationId];
  if (request.method !== method || request.path !== path) return [`${request.method} ${request.path}`];
  if (method === "POST") return problems(schema, request.body);
  const unknown = Object.keys(request.query).filter((name) => inputs.every((input) => input.name !== name));
  return [...unknown, ...problems(schema, request.query)];
}

/** Every text of a member with one of the names, at any depth. */
function textsOf(node: unknown, members: string[]): string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    typeof value === "string" ? (members.includes(key) ? [value] : []) : textsOf(value, members),
  );
}

function objectsOf(node: unknown, type: string): Record<string, unknown>[] {
  if (typeof node !== "object" || node === null) return [];
  const inside = Object.values(node).flatMap((value) => objectsOf(value, type));
  return "@type" in node && node["@type"] === type ? [{ ...node }, ...inside] : inside;
}
