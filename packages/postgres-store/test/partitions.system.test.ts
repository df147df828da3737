import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { openPostgresWriter, partitionSteps } from "../src/index.ts";
import { readBytes, readPartitions } from "../src/partitions/partitions.ts";
import {
  boundsOf,
  copiedIndex,
  emptyIndex,
  firstSteps,
  type ProducedSteps,
  producedSteps,
  withDatabase,
} from "./indexed-chains.ts";

const STEPS = 12;
let chain: ProducedSteps;

beforeAll(async () => {
  chain = firstSteps(await producedSteps(), STEPS);
});

describe("partitions", () => {
  test("are made ahead of the steps, with the options and indexes of the first one", async () => {
    const connection = await emptyIndex();
    expect(await partitionSteps(connection, { every: 5, last: 0 })).toEqual({ openFrom: 5, isFull: false });
    expect(await boundsOf(connection)).toEqual([
      [0, 5],
      [5, undefined],
    ]);
    const writer = await openPostgresWriter(connection);
    await writer.begin(chain.genesis);
    await writer.write(chain.steps);
    await writer.close();
    expect(await partitionSteps(connection, { every: 5, last: STEPS })).toEqual({ openFrom: 15, isFull: false });
    expect(await partitionSteps(connection, { every: 5, last: STEPS })).toEqual({ openFrom: 15, isFull: false });
    expect(await boundsOf(connection)).toEqual([
      [0, 5],
      [5, 15],
      [15, undefined],
    ]);
    await withDatabase(connection, async (sql) => {
      const shapes = await sql`SELECT c.reloptions, (SELECT array_agg(attstorage::text ORDER BY attnum) FROM pg_attribute
        WHERE attrelid = c.oid AND attnum > 0) AS storage, (SELECT count(*)::int4 FROM pg_index WHERE indrelid = c.oid AND indisvalid) AS indexes
        FROM pg_class c WHERE c.relname LIKE 'transactions_from_%' AND c.relkind = 'r'`;
      expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1);
      expect(shapes).toHaveLength(3);
      const [left] = await sql`SELECT count(*)::int4 AS limits FROM pg_constraint WHERE conname = 'below_next_partition'`;
      expect(left).toEqual({ limits: 0 });
    });
  });

  test("are closed above their rows without a rewrite", async () => {
    const connection = await copiedIndex(chain);
    const files = () =>
      withDatabase(connection, async (sql) => {
        const rows =
          await sql`SELECT relname, relfilenode FROM pg_class WHERE relname ~ '^(transactions|account_versions)_from_0'
          AND relkind IN ('r', 'i') ORDER BY 1`;
        return rows.map((row) => ({ ...row }));
      });
    const before = await files();
    expect(before).toHaveLength(5);
    expect(await partitionSteps(connection, { every: 10, last: STEPS })).toEqual({ openFrom: 20, isFull: false });
    expect(await files()).toEqual(before);
    expect(await boundsOf(connection)).toEqual([
      [0, 20],
      [20, undefined],
    ]);
  });

  test("are 24 at most", async () => {
    const connection = await emptyIndex();
    expect(await partitionSteps(connection, { every: 1, last: 100 })).toEqual({ openFrom: 23, isFull: true });
    expect(await boundsOf(connection)).toHaveLength(24);
  });

  test("wait for long readers without blocking others", async () => {
    const connection = await copiedIndex(chain);
    const alone = { ...connection, connections: 1 };
    await withDatabase(alone, (sql) =>
      withDatabase(alone, async (other) => {
        await other.unsafe("BEGIN; SELECT 1 FROM transactions LIMIT 1");
        const made = partitionSteps(connection, { every: 20, last: STEPS });
        for (let reads = 0; reads < 20; reads++) {
          // A lock that waits without a timeout would block this read.
          await sql`SELECT 1 FROM transactions LIMIT 1`;
          await sleep(20);
        }
        await other.unsafe("COMMIT");
        expect(await made).toEqual({ openFrom: 20, isFull: false });
      }),
    );
  });

  test("made by several processes at the same time are the same", async () => {
    const connection = await emptyIndex();
    const made = await Promise.all(Array.from({ length: 4 }, () => partitionSteps(connection, { every: 3, last: 10 })));
    expect(new Set(made.map(({ openFrom }) => openFrom))).toEqual(new Set([12]));
    expect((await boundsOf(connection)).map(([from]) => from)).toEqual([0, 3, 6, 9, 12]);
  });

  test("that are dropped while they are listed are left out", async () => {
    const connection = await emptyIndex();
    await partitionSteps(connection, { every: 5, last: 5 });
    await withDatabase(connection, (sql) =>
      sql.begin("ISOLATION LEVEL REPEATABLE READ", async (snapshot) => {
        await snapshot`SELECT 1 FROM pg_class LIMIT 1`;
        await sql`DROP TABLE transactions_from_0, account_versions_from_0`;
        expect((await snapshot`SELECT 1 FROM pg_class WHERE relname = 'transactions_from_0'`).length).toBe(1);
        expect(await readPartitions(snapshot)).toEqual([{ from: 5, to: 10 }, { from: 10 }]);
        expect(await readBytes(snapshot, 0)).toBe(0);
      }),
    );
  });
});
