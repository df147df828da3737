/** Shards with blocks of different numbers merge: then the numbers of the smaller ones continue above a gap. */

import { shardName, smallestWithin } from "@chain-query/format/identifiers";
import type { MessageKey } from "@chain-query/format/store";
import { UNEVEN } from "@chain-query/testing/chains";
import { beforeAll, expect, test } from "vitest";
import { liteClient } from "../../src/lite-client.ts";
import { type ServedChain, serveChain } from "../served-chain.ts";

/** Its newest block in a shard is the first after a merge, and the number before it is lacking. */
let served: ServedChain;
/** Few accounts, so that messages that a merge delivers are further back than the newest transactions. */
let busy: ServedChain;

beforeAll(async () => {
  const { steps, ...options } = UNEVEN;
  served = await serveChain(16, { ...options, accounts: 20 });
  busy = await serveChain(steps, { ...options, accounts: 4 });
});

test("blocks are found by number and time as in the chain", async () => {
  const { chain, headers, server, configOf } = served;
  const limits = { rate: 100_000, timeoutMs: 60_000, attemptTimeoutMs: 60_000 };
  await using client = liteClient(configOf([server]), limits);
  const shards = new Map(headers.map(({ id }) => [shardName(id), smallestWithin(id)])).values();
  const newest = Math.max(...headers.map(({ id }) => id.seqno));
  const times = new Set(headers.map(({ time }) => time));
  const selectors = [
    ...Array.from({ length: newest }, (_, index) => ({ seqno: index + 1 })),
    ...Array.from(times, (time) => ({ time })),
  ];
  const asked = Array.from(shards).flatMap((shard) => selectors.map((selector) => ({ shard, selector })));
  const found = await Promise.all(asked.map(({ shard, selector }) => client.lookupBlock(shard, selector)));
  const expected = asked.map(({ shard, selector }) => chain.block(shard, selector)?.id);
  expect(found.map((block) => block?.id)).toEqual(expected);
  // Numbers without a block, below the newest block of the shard.
  const gaps = asked.filter(({ shard, selector }, index) => {
    const top = headers.findLast(({ id }) => shardName(smallestWithin(id)) === shardName(shard))?.id.seqno ?? 0;
    return "seqno" in selector && selector.seqno < top && !expected[index];
  });
  expect(gaps.length).toBeGreaterThan(0);
});

test("receivers of messages are found as in the chain", async () => {
  const { accounts, chain, server, configOf } = busy;
  const limits = { rate: 100_000, timeoutMs: 60_000, attemptTimeoutMs: 60_000 };
  await using client = liteClient(configOf([server]), limits);
  const keys = accounts.flatMap((account) =>
    Array.from(chain.transactions(account)).flatMap(({ outMessages }) =>
      outMessages.flatMap(({ destination, createdLt }): MessageKey[] =>
        destination?.workchain === 0 ? [{ source: account, destination, createdLt }] : [],
      ),
    ),
  );
  const found = await Promise.all(keys.map((key) => client.findReceiver(key)));
  expect(found.map((one) => one?.id)).toEqual(keys.map((key) => chain.findReceiver(key)?.id));
});
