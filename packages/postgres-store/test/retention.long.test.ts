import { FROZEN, RESHARDED } from "@chain-query/testing/chains";
import { describe, expect, test } from "vitest";
import { dropHistory, verifyIndex } from "../src/index.ts";
import { describeDroppedHistory, partitioned } from "./dropped-history.ts";
import { producedSteps, withDatabase } from "./indexed-chains.ts";

const STEPS = FROZEN.steps;

describe("on a chain with accounts of every kind", () => {
  describeDroppedHistory(FROZEN, 1, { whole: [0, 3, 12, STEPS], dropped: [STEPS, 19, 15, 14, 3] });
});

describe("on a chain whose shards split and merge", () => {
  describeDroppedHistory({ ...RESHARDED, steps: STEPS }, 1, { whole: [5, 14, STEPS], dropped: [STEPS, 16, 15, 14, 4] });
});

describe("verifyIndex", () => {
  test.each([
    [
      "a byte of the state of an account",
      "UPDATE account_base SET record = set_byte(record, 40, get_byte(record, 40) # 1)",
      /cannot be read/,
    ],
    ["an account", "DELETE FROM account_base", /^(?:number of accounts that dropped steps left|previous lt|hash of the state)/],
    ["the step of an account", "UPDATE account_base SET mc_seqno = 20", /was not dropped$/],
    [
      "the step of an account, as if its step was not dropped",
      "UPDATE account_base SET mc_seqno = 0",
      /^digest of the accounts/,
    ],
    [
      "a lower boundary",
      "UPDATE history SET first_seqno = first_seqno - 1",
      /^the first step that was not dropped is 9 and should be 10$/,
    ],
    [
      "a higher boundary",
      "UPDATE history SET first_seqno = first_seqno + 3",
      /^the first step that was not dropped is 13 and should be 10$/,
    ],
    [
      "the end of dropped steps",
      "UPDATE history SET end_lt = 0",
      /^the end of dropped steps in logical time is 0 and should be [1-9]\d*$/,
    ],
  ])("finds a change of %s in an index with dropped partitions", async (_what, change, fault) => {
    const connection = await partitioned(await producedSteps());
    await dropHistory(connection, { before: { step: 10 } });
    const condition = change.includes("account_base")
      ? "WHERE account = (SELECT account FROM account_base WHERE mc_seqno > 0 ORDER BY account DESC LIMIT 1)"
      : "";
    await withDatabase(connection, (sql) => sql.unsafe(`${change} ${condition}`));
    await expect(verifyIndex(connection)).rejects.toMatchObject({ kind: "damaged", message: expect.stringMatching(fault) });
  });
});
