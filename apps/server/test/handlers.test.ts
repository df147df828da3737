/** The results of operations, compared with the chain as its reader knows it, and the words of results that are missing. */
import type { ChainTransaction } from "@chain-query/format/store";
import { describe, expect, test } from "vitest";
import { appWith } from "./fixtures/app.ts";
import { ask, resultOf } from "./fixtures/ask.ts";
import { busiestAddress, internalMessages, knownChain, longestHistory, messageKey, rawAddress } from "./fixtures/chain.ts";
import { sharedService, startService } from "./fixtures/service.ts";

const masterchain = { workchain: -1, shard: "-9223372036854775808" };
const service = sharedService();
const { reader, histories } = knownChain();
const base64 = (bytes: Uint8Array = new Uint8Array(32)): string => Buffer.from(bytes).toString("base64");

test("the head, its state and the zero state with shard 0, the consensus block, and the queues of all shards", async () => {
  const { block } = reader.head();
  const { seqno } = block.id;
  const genesis = reader.genesis().block;
  const blockId = (id: object) => ({ "@type": "chain.blockIdExt", ...masterchain, ...id });
  expect(await resultOf(service.url, "getMasterchainInfo")).toEqual({
    "@type": "blocks.masterchainInfo",
    last: blockId({ seqno, root_hash: base64(block.id.rootHash), file_hash: base64(block.id.fileHash) }),
    state_root_hash: base64(block.stateRootHash),
    init: blockId({ shard: "0", seqno: 0, root_hash: base64(genesis.rootHash), file_hash: base64(genesis.fileHash) }),
  });
  expect(await resultOf(service.url, "getConsensusBlock")).toEqual({
    ...{ "@type": "ext.blocks.consensusBlock", consensus_block: seqno, timestamp: block.time },
  });
  const { shards, ext_msg_queue_size_limit } = await resultOf(service.url, "getOutMsgQueueSize");
  expect(shards.map(({ id, size }) => [id.workchain, id.shard, id.seqno, size])).toEqual(
    reader.shards().map(({ id, queueSize }) => [id.workchain, String(id.shard), id.seqno, queueSize]),
  );
  expect([shards.length, ext_msg_queue_size_limit]).toEqual([5, 8000]);
});

test("block ids name the configured network", async () => {
  await using other = await startService({ networkName: "lab2" });
  const { last, init } = await resultOf(other.url, "getMasterchainInfo");
  expect([last["@type"], init["@type"]]).toEqual(["lab2.blockIdExt", "lab2.blockIdExt"]);
});

test("every account of the chain, also those that were deleted", async () => {
  const seen = new Set<string>();
  for (const [newest] of histories) {
    if (newest === undefined) continue;
    const known = reader.account(newest.account);
    const isDeleted = known?.last.lt === 0n;
    seen.add(isDeleted ? "deleted" : (known?.status ?? ""));
    expect(await resultOf(service.url, "getAddressInformation", { address: rawAddress(newest.account) })).toMatchObject({
      balance: String(known?.balance),
      state: known?.status,
      last_transaction_id: { lt: isDeleted ? "0" : String(newest.id.lt), hash: base64(isDeleted ? undefined : newest.id.hash) },
      code: base64(known?.code ?? new Uint8Array()),
      sync_utime: reader.head().block.time,
    });
  }
  expect([...seen]).toEqual(expect.arrayContaining(["active", "frozen", "deleted"]));
});

const history = longestHistory();
const address = busiestAddress();
const ltsOf = (transactions: readonly ChainTransaction[]): string[] => transactions.map(({ id }) => String(id.lt));
const at = (index: number): { lt: string; hash: string } => {
  const { id } = history[index] ?? expect.unreachable();
  return { lt: String(id.lt), hash: base64(id.hash) };
};

/** The lts of a page, and its cursor. */
async function page(url: string, query: object) {
  const { transactions, previous_transaction_id } = await resultOf(url, "getTransactionsStd", query);
  return { lts: transactions.map(({ transaction_id }) => transaction_id.lt), next: previous_transaction_id };
}

describe("histories", () => {
  test("are listed page by page, those of deleted accounts from their newest transaction on", async () => {
    for (const known of histories.slice(0, 40)) {
      const newest = known[0] ?? expect.unreachable();
      const isDeleted = reader.account(newest.account)?.last.lt === 0n;
      const seen: string[] = [];
      let start: object = isDeleted ? { lt: String(newest.id.lt), hash: base64(newest.id.hash) } : {};
      for (let isOver = false; !isOver; ) {
        const { lts, next } = await page(service.url, { address: rawAddress(newest.account), limit: 7, ...start });
        seen.push(...lts);
        start = { lt: next.lt, hash: next.hash };
        isOver = next.lt === "0";
      }
      expect(seen).toEqual(ltsOf(known));
    }
  });

  test("have pages of ten by default, and of a thousand at most", async () => {
    expect((await page(service.url, { address })).lts).toEqual(ltsOf(history.slice(0, 10)));
    expect((await page(service.url, { address, limit: 1000 })).lts).toEqual(ltsOf(history));
  });

  test("are found in the cache only with the right hash of their start", async () => {
    const query = { address, ...at(6), limit: 4 };
    expect(await page(service.url, query)).toEqual(await page(service.url, query));
    for (const wrong of [{ hash: at(7).hash }, { lt: "0" }, { lt: String(BigInt(at(6).lt) + 1n) }])
      expect((await ask(service.url, "getTransactionsStd", { ...query, ...wrong })).status).toBe(404);
  });

  test("older than the retention end a page, and are refused as a start, except with archival=true", async () => {
    const retention = 100;
    await using young = await startService({ retention });
    const recent = history.filter(({ time }) => time >= reader.head().block.time - retention);
    const { lts, next } = await page(young.url, { address, limit: 1000 });
    expect([lts, next.lt]).toEqual([ltsOf(recent), at(recent.length).lt]);
    const { lt, hash } = next;
    for (const start of [
      { lt, hash },
      { lt: "1", hash },
    ]) {
      const error = `lt ${start.lt} is not in this node's history, use archival=true to reach it`;
      expect((await ask(young.url, "getTransactionsStd", { address, ...start })).body).toMatchObject({ code: 500, error });
    }
    const rest = await page(young.url, { address, lt, hash, archival: true, limit: 1000 });
    expect([...lts, ...rest.lts]).toEqual(ltsOf(history));
  });
});

const waiting = internalMessages().find(({ message }) => reader.findReceiver(message) === undefined) ?? expect.unreachable();
const message = messageKey(waiting.message);
const neverSent = { ...message, created_lt: String(waiting.sentBy.id.lt) };
const pastHead = { ...message, created_lt: "9223372036854775807" };
const noSuchMessage = "the source account sent no such message";
const laterMessage = "created_lt is past the head, so that such a message may still be sent";

test.each([
  ["lookupBlock", { ...masterchain, seqno: 1_000_000 }, "seqno 1000000 is past the head, 60"],
  ["lookupBlock", { ...masterchain, lt: "9223372036854775807" }, "lt 9223372036854775807 is past the head, 60"],
  ["lookupBlock", { ...masterchain, unixtime: 4294967295 }, "unixtime 4294967295 is past the head, 60"],
  [
    "lookupBlock",
    { workchain: -1, shard: "0", seqno: 7 },
    "seqno 7 of shard 0; the shards of workchain -1 are -9223372036854775808 up to 60",
  ],
  ["lookupBlock", { ...masterchain, workchain: 5, seqno: 1 }, "the chain has no workchain 5"],
  ["getAddressInformation", { address, seqno: "4000000000" }, "seqno 4000000000 is past the head, 60"],
  ["tryLocateResultTx", message, "the message is known and still waits in a queue, try again later"],
  ["tryLocateResultTx", neverSent, noSuchMessage],
  ["tryLocateSourceTx", neverSent, noSuchMessage],
  ["tryLocateResultTx", pastHead, laterMessage],
  ["tryLocateSourceTx", pastHead, laterMessage],
  ["tryLocateSourceTx", { ...message, source: "" }, 'a message from outside the chain (source "") has no source transaction'],
] as const)("%s of %j finds nothing", async (id, input, error) => {
  const what = id.startsWith("tryLocate") ? "transaction" : "block";
  expect((await ask(service.url, id, input)).body).toMatchObject({ code: 404, error: `${what} was not found: ${error}` });
});

test("a number that a merge skipped is not said to be past the head", async () => {
  const url = await appWith({}, { block: () => undefined }).listen({ port: 0, host: "127.0.0.1" });
  const { body } = await ask(url, "lookupBlock", { ...masterchain, seqno: 7 });
  expect(body).toMatchObject({ reason: "block_unknown", error: expect.stringContaining("up to 60") });
});
