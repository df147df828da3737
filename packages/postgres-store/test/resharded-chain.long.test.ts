/** The index of a chain whose shards split and merge. */
import { isSameShard } from "@chain-query/format/identifiers";
import type { Step } from "@chain-query/format/store";
import { blockByPrefix, prefixOf, selectorsOf, shardOf } from "@chain-query/local-chain/testing";
import { RESHARDED, UNEVEN } from "@chain-query/testing/chains";
import { expect, test } from "vitest";
import { query } from "../src/database/client.ts";
import { dropAfter, openPostgresWriter, type PostgresConnection, verifyIndex } from "../src/index.ts";
import {
  firstSteps,
  newIndex,
  openTestReader,
  type ProducedSteps,
  producedSteps,
  withDatabase,
  writtenIndex,
} from "./indexed-chains.ts";

test.each([
  ["split and merge", RESHARDED, [0, 1, 2, 3, 4]],
  ["have none to three blocks in a step", UNEVEN, undefined],
] as const)(
  "a block is found by its number, logical time and time while shards %s, however the steps were written",
  async (_, options, lengths) => {
    const chain = await producedSteps(options);
    const { steps } = chain;
    const connection = await writtenIndex(chain, rangesOf(chain));
    const reader = openTestReader(connection);
    const found = new Set<string>();
    for (const [index, prefix] of ["", "0", "01", "0011", "1", "110", "1101", "0".repeat(60)].entries()) {
      const some = selectorsOf(steps).filter((_, i) => i % 8 === index);
      const ask = some.flatMap((selector) => [steps.length, 23].map((at) => ({ selector, at })));
      await Promise.all(
        ask.map(async ({ selector, at }) => {
          const expected = blockByPrefix(steps.slice(0, at), prefix, selector);
          const header = await reader.block(shardOf(prefix), selector, at);
          expect(header?.id, `${prefix} ${JSON.stringify(selector, (_, value) => String(value))} ${at}`).toEqual(expected);
          if (header !== undefined) found.add(prefixOf(header.id));
        }),
      );
    }
    if (lengths) expect(new Set([...found].map(({ length }) => length))).toEqual(new Set(lengths));
    expect(await reader.block({ workchain: 0, shard: 0n }, { seqno: 1 }, steps.length)).toBeUndefined();
    await reader.close();
    expect(await verifyIndex(connection)).toEqual(await verifyIndex(await newIndex(chain)));
  },
);

/** Ranges that end before and after the steps of splits and merges. */
function rangesOf({ steps }: ProducedSteps): (readonly Step[])[] {
  const events = steps.flatMap(({ shards }, step) =>
    shards.some(({ id, previous }) => !isSameShard(id, previous)) ? [step, step + 1] : [],
  );
  expect(events.length).toBeGreaterThan(12);
  const ends = [...new Set([0, ...events, steps.length])];
  return ends.slice(1).map((end, i) => steps.slice(ends[i], end));
}

test("an index whose steps after any one were dropped has the head that it had at this step", async () => {
  // Two splits and a merge.
  const { steps, ...rest } = firstSteps(await producedSteps(RESHARDED), 15);
  const connection = await writtenIndex({ ...rest, steps }, []);
  const writer = await openPostgresWriter(connection);
  const heads = [await headOf(connection)];
  for (const step of steps) {
    await writer.write([step]);
    heads.push(await headOf(connection));
  }
  await writer.close();
  for (const head of heads.toReversed()) {
    await dropAfter(connection, head.seqno);
    expect(await headOf(connection)).toEqual(head);
    if (head.seqno % 4 === 0) await verifyIndex(connection);
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
