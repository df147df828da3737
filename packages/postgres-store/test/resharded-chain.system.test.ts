/** Chains whose shards split and merge: one with other shards in the ids of its blocks, whose left half does, and a real one. */
import { isSameShard } from "@chain-query/format/identifiers";
import { blockByPrefix, reshardedSteps, selectorsOf, shardOf } from "@chain-query/local-chain/testing";
import { RESHARDED, SMALL, UNEVEN } from "@chain-query/testing/chains";
import { expect, test } from "vitest";
import { query } from "../src/client.ts";
import { openPostgresWriter, type PostgresConnection, rewindIndex, verifyIndex } from "../src/index.ts";
import { openTestReader, producedSteps, withDatabase, writtenIndex } from "./indexed-chains.ts";

test("a block is found by its number, logical time and time, whichever shard contains the prefix at that moment", async () => {
  const produced = await producedSteps(SMALL);
  const steps = reshardedSteps(produced.steps);
  const connection = await writtenIndex({ ...produced, steps }, [steps.slice(0, 5), steps.slice(5)]);
  await verifyIndex(connection);

  const reader = openTestReader(connection);
  const found = new Set<bigint>();
  for (const prefix of ["", "0", "00", "01", "0011", "0100", "1", "101"]) {
    const ask = selectorsOf(steps).flatMap((selector) => [12, 7].map((at) => ({ selector, at })));
    await Promise.all(
      ask.map(async ({ selector, at }) => {
        const expected = blockByPrefix(steps.slice(0, at), prefix, selector);
        const header = await reader.block(shardOf(prefix), selector, at);
        expect(header?.id, `${prefix} ${JSON.stringify(selector, (_, value) => String(value))} ${at}`).toEqual(expected);
        if (header !== undefined) found.add(header.id.shard);
      }),
    );
  }
  expect(found).toEqual(new Set(["0", "00", "01", "1"].map((prefix) => shardOf(prefix).shard)));
  expect(await reader.block({ workchain: 0, shard: 0n }, { seqno: 1 }, 12)).toBeUndefined();
  await reader.close();
});

test.each([
  ["", RESHARDED],
  [" and have none to three blocks in a step", UNEVEN],
])(
  "an index of a chain whose shards split and merge%s is complete, in whichever ranges its steps were written",
  async (_, options) => {
    const { steps, ...chain } = await producedSteps(options);
    const events = steps.flatMap(({ shards }, step) =>
      shards.some(({ id, previous }) => !isSameShard(id, previous)) ? [step, step + 1] : [],
    );
    expect(events.length).toBeGreaterThan(12);
    // Ranges end before and after the step of each split and merge.
    const ends = [...new Set([0, ...events, steps.length])];
    const ranges = ends.slice(1).map((end, i) => steps.slice(ends[i], end));
    const connection = await writtenIndex({ ...chain, steps }, ranges);
    await verifyIndex(connection);

    const reader = openTestReader(connection);
    const selectors = selectorsOf(steps).filter((_, i) => i % 7 === 0);
    for (const prefix of ["", "0011", "1", "110"]) {
      await Promise.all(
        selectors.map(async (selector) => {
          const header = await reader.block(shardOf(prefix), selector, steps.length);
          expect(header?.id).toEqual(blockByPrefix(steps, prefix, selector));
        }),
      );
    }
    await reader.close();
  },
);

test("an index that went back to any step has the head that it had at this step", async () => {
  const produced = await producedSteps(SMALL);
  const steps = reshardedSteps(produced.steps);
  const connection = await writtenIndex({ ...produced, steps }, []);
  const writer = await openPostgresWriter(connection);
  const heads = [await headOf(connection)];
  for (const step of steps) {
    await writer.write([step]);
    heads.push(await headOf(connection));
  }
  await writer.close();
  for (const head of heads.toReversed()) {
    await rewindIndex(connection, head.seqno);
    expect(await headOf(connection)).toEqual(head);
    await verifyIndex(connection);
  }
});

function headOf(connection: PostgresConnection): Promise<{ seqno: number; record: string }> {
  return withDatabase(connection, async (sql) => {
    const [row] = await query<{ seqno: number; record: string }>(
      sql,
      "SELECT seqno, encode(record, 'hex') AS record FROM head",
    );
    return row ?? expect.unreachable();
  });
}
