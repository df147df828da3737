import { beforeAll, describe, expect, test } from "vitest";
import { Databases, dropHistory, verifyIndex } from "../src/index.ts";
import { copiedIndex, type ProducedSteps, partitioned, producedSteps, withDatabase } from "./indexed-chains.ts";

let chain: ProducedSteps;
beforeAll(async () => {
  chain = await producedSteps();
});

describe("dropHistory", () => {
  test("a read of dropped history does not count as a failure of the database", async () => {
    const connection = await partitioned(chain);
    await dropHistory(connection, { before: { step: 10 } });
    const failures: boolean[] = [];
    const databases = new Databases(
      { primary: connection, replicas: [] },
      { onRead: (_name, _seconds, hasFailed) => failures.push(hasFailed) },
    );
    const { reader } = databases.primary;
    const account = { workchain: 0, hash: new Uint8Array(32) };
    for (const [seqno, kind] of [[9, "dropped"] as const, [25, "behind"] as const])
      await expect(reader.account(account, seqno)).rejects.toMatchObject({ kind });
    // The account, its dropped history, and the account as of a step that does not exist.
    expect(failures).toEqual([false, false, true]);
    await databases.close();
  });

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
    const { dropped, kept } = await dropHistory(connection, { before: { seconds: 1 } });
    expect(dropped.map(({ to }) => to)).toEqual([4, 9]);
    expect(kept).toBe(`step 14 is younger than the chain's retention, ${retentionSeconds} s`);
  });

  test("fails while another process drops history", async () => {
    const connection = await partitioned(chain);
    await withDatabase(connection, async (sql) => {
      await sql`INSERT INTO indexer_lease VALUES ('history', 'another', 7, now())`;
      await expect(dropHistory(connection, {})).rejects.toMatchObject({ kind: "busy", message: "another writes this index" });
    });
  });
});
