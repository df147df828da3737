import { operations, operationsById } from "@chain-query/openapi/operations";
import { describe, expect, test } from "vitest";
import { problems } from "./contract.ts";

const examples = operations.flatMap((operation) => operation.examples);

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
  getOutMsgQueueSize: ["backlog 200", "idle 200"],
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
