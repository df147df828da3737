/** A head that the lite client gives up, for one of another chain. */
import { type LiteClient, LiteError, type LiteHead, type LiteReadOptions, liteClient } from "@chain-query/lite-client";
import { expect, test } from "vitest";
import { setKeyless } from "../../src/deadline.ts";
import { liteServerSource } from "../../src/sources/lite-server.ts";
import { newestTips } from "../../src/sources/newest-tips.ts";

const block = (seqno: number, fill: number): LiteHead["block"] => ({
  workchain: -1,
  shard: -(2n ** 63n),
  seqno,
  rootHash: new Uint8Array(32).fill(fill),
  fileHash: new Uint8Array(32).fill(fill),
});
const headOf = (seqno: number, fill: number): LiteHead => ({
  ...{ block: block(seqno, fill), time: 1_700_000_000, endLt: 5n, stateRootHash: new Uint8Array(32) },
});

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

test("is refused, and followed by an older head", async () => {
  const zeroState = block(0, 0);
  const config = { servers: [], zeroState, initBlock: zeroState, hardforks: [], warnings: [] };
  await using real = liteClient(config);
  const client: { -readonly [Name in keyof LiteClient]: LiteClient[Name] } = { ...real, head: headOf(400, 9), resets: 0 };
  const network = { client, hasArchive: false, problem: undefined, close: async () => {} };
  const source = liteServerSource({ network, tips: newestTips(({ block: { seqno } }) => seqno) });
  const { signal } = new AbortController();
  const seqno = async () => (await source.head(signal)).block.id.seqno;
  expect([await seqno(), source.era?.()]).toEqual([400, 0]);

  await nextTick();
  client.head = undefined;
  client.problem = "block 400 was given up";
  expect(() => source.head(signal)).toThrow("block 400 was given up");
  await expect(source.shards(signal)).rejects.toThrow("block 400 was given up");

  client.head = headOf(263, 1);
  client.resets = 1;
  client.problem = undefined;
  expect([await seqno(), source.era?.()]).toEqual([263, 1]);
  await nextTick();
  client.head = headOf(262, 1);
  expect([await seqno(), source.era?.()]).toEqual([263, 1]);
});

test("a search that exhausts the budget is refused with what to do, and yields if it has no key", async () => {
  const zeroState = block(0, 0);
  await using real = liteClient({ servers: [], zeroState, initBlock: zeroState, hardforks: [], warnings: [] });
  const message = "the search takes more than 7 queries; ask a narrower question";
  const asked: LiteReadOptions[] = [];
  const findReceiver: LiteClient["findReceiver"] = async (_, options = {}) => {
    asked.push(options);
    throw new LiteError("exhausted", message);
  };
  const network = {
    client: { ...real, head: headOf(400, 9), findReceiver },
    hasArchive: true,
    problem: undefined,
    close: async () => {},
  };
  const source = liteServerSource({ network, tips: newestTips(({ block: { seqno } }) => seqno), budget: 7 });
  const account = { workchain: 0, hash: new Uint8Array(32) };
  const { signal } = new AbortController();
  const found = async () => source.findReceiver({ source: account, destination: account, createdLt: 1n }, signal);
  await expect(found()).rejects.toMatchObject({ status: 504, message });
  setKeyless(signal);
  await expect(found()).rejects.toThrow(message);
  expect(asked.map(({ maxQueries, yields }) => [maxQueries, yields])).toEqual([
    [7, false],
    [7, true],
  ]);
});
