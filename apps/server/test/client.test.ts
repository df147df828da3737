/** The service, called with the TypeScript client. */
import { createClient } from "@chain-query/client";
import { describe, expect, test } from "vitest";
import { busiestAddress, internalMessages, knownChain, messageKey } from "./fixtures/chain.ts";
import { sharedService, startService } from "./fixtures/service.ts";

const service = sharedService();

describe("the client", () => {
  test("calls all eight operations", async () => {
    const client = createClient({ baseUrl: service.url, rateLimit: false });
    const { last } = await client.getMasterchainInfo();
    expect((await client.getConsensusBlock()).consensus_block).toBe(last.seqno);
    expect((await client.lookupBlock({ workchain: -1, shard: last.shard, seqno: last.seqno })).root_hash).toBe(last.root_hash);
    expect((await client.getOutMsgQueueSize()).shards).toHaveLength(knownChain().reader.shards().length);
    const address = busiestAddress();
    const { last_transaction_id } = await client.getAddressInformation({ address });
    const page = await client.getTransactionsStd({ address, limit: 1 });
    expect(page.transactions[0]?.transaction_id).toEqual(last_transaction_id);
    const [sent] = internalMessages();
    if (sent === undefined) throw new Error("the chain has messages");
    const { created_lt, ...ends } = messageKey(sent.message);
    const source = await client.tryLocateSourceTx({ ...ends, createdLt: created_lt });
    const result = await client.tryLocateResultTx({ ...ends, createdLt: created_lt });
    expect(source.out_msgs.map(({ hash }) => hash)).toContain(result.in_msg?.hash);
  });

  test("retries after the limit without a key", async () => {
    await using limited = await startService({ keylessRate: 1 });
    const client = createClient({ baseUrl: limited.url, rateLimit: false });
    const [info, consensus] = await Promise.all([client.getMasterchainInfo(), client.getConsensusBlock()]);
    expect([info.last.seqno, consensus.consensus_block]).toEqual([60, 60]);
  });
});
