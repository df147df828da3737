import { DAYS } from "@chain-query/testing/chains";
import { beforeAll, describe, expect, test } from "vitest";
import { dropHistory, readIndexStatus, verifyIndex } from "../src/index.ts";
import { describeDroppedHistory, partitioned } from "./dropped-history.ts";
import { copiedIndex, type ProducedSteps, producedSteps, withDatabase } from "./indexed-chains.ts";

describeDroppedHistory(DAYS, 5, { whole: [DAYS.steps], dropped: [DAYS.steps, 14] });

let chain: ProducedSteps;
beforeAll(async () => {
  chain = await producedSteps();
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
    const connection = await partitioned(chain);
    await dropHistory(connection, { beforeStep: 10 });
    const condition = change.includes("account_base")
      ? "WHERE account = (SELECT account FROM account_base WHERE mc_seqno > 0 ORDER BY account DESC LIMIT 1)"
      : "";
    await withDatabase(connection, (sql) => sql.unsafe(`${change} ${condition}`));
    await expect(verifyIndex(connection)).rejects.toMatchObject({ kind: "damaged", message: expect.stringMatching(fault) });
  });
});

describe("dropHistory", () => {
  test("keeps steps that are not below the head", async () => {
    const connection = await partitioned(chain);
    const { dropped, kept } = await dropHistory(connection, {});
    expect(dropped.at(-1)?.to).toBe(19);
    expect(kept).toMatch(/^step 24 is not below the head, 24$/);
    expect(await dropHistory(connection, {})).toEqual({ dropped: [], firstSeqno: 20, kept });
    expect(await verifyIndex(connection)).toMatchObject({ firstSeqno: 20 });
  });

  test("keeps the newest partition", async () => {
    const { dropped, kept } = await dropHistory(await copiedIndex(chain), {});
    expect({ dropped, kept }).toEqual({ dropped: [], kept: "step 0 begins the newest partition" });
  });

  test("keeps the steps that the chain retains", async () => {
    const retentionSeconds = 12 * 86_400;
    const connection = await partitioned({ ...chain, genesis: { ...chain.genesis, retentionSeconds } });
    const { dropped, kept } = await dropHistory(connection, { olderThan: 1 });
    expect(dropped.map(({ to }) => to)).toEqual([4, 9]);
    expect(kept).toBe(`step 14 is younger than the chain's retention, ${retentionSeconds} s`);
  });

  test("keeps steps that are not older than the given age", async () => {
    const connection = await partitioned(chain);
    const { dropped, kept } = await dropHistory(connection, { olderThan: 12 * 86_400 });
    expect(dropped.map(({ to }) => to)).toEqual([4, 9]);
    expect(kept).toBe(`step 14 is younger than ${12 * 86_400} s`);
  });

  test("fails while another process drops history, and after the lease is lost", async () => {
    const connection = await partitioned(chain);
    await withDatabase(connection, async (sql) => {
      await sql`INSERT INTO indexer_lease VALUES ('history', 'another', 7, now())`;
      await expect(dropHistory(connection, {})).rejects.toMatchObject({ kind: "busy", message: "another writes this index" });
      await sql`UPDATE indexer_lease SET heartbeat = to_timestamp(0) WHERE name = 'history'`;
      await sql`UPDATE history SET epoch = 99`;
      await expect(dropHistory(connection, {})).rejects.toMatchObject({ kind: "lost" });
      expect((await readIndexStatus(connection)).partitions[0]).toMatchObject({ from: 0 });
      const [{ rows } = {}] = await sql`SELECT count(*)::int4 AS rows FROM account_base`;
      expect(rows).toBe(0);
    });
  });
});
