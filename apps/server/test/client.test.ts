/** The client of the same contract, as an application uses it. */
import { createClient } from "@chain-query/client";
import { describe, expect, test } from "vitest";
import { internalMessages, longest, rawOf } from "./known.ts";
import { overChain } from "./over-chain.ts";
import { startService } from "./service.ts";

const over = overChain();

describe("the client", () => {
  test("calls all eight operations", async () => {
    const client = createClient({ baseUrl: over.url, rateLimit: false });
    const { last } = await client.getMasterchainInfo();
    expect((await client.getConsensusBlock()).consensus_block).toBe(last.seqno);
    expect((await client.lookupBlock({ workchain: -1, shard: last.shard, seqno: last.seqno })).root_hash).toBe(last.root_hash);
    expect((await client.getOutMsgQueueSize()).shards).toHaveLength(5);
    const [newest] = longest(over.chain);
    const nobody = { workchain: 0, hash: new Uint8Array(32) };
    const address = rawOf(newest?.account ?? nobody);
    const { last_transaction_id } = await client.getAddressInformation({ address });
    const page = await client.getTransactionsStd({ address, limit: 1 });
    expect(page.transactions[0]?.transaction_id).toEqual(last_transaction_id);
    const [sent] = internalMessages(over.chain);
    const key = {
      source: rawOf(sent?.message.source ?? nobody),
      destination: rawOf(sent?.message.destination ?? nobody),
      createdLt: String(sent?.message.createdLt),
    };
    const source = await client.tryLocateSourceTx(key);
    const result = await client.tryLocateResultTx(key);
    expect(source.out_msgs.map(({ hash }) => hash)).toContain(result.in_msg?.hash);
  });

  test("waits out the limit without a key by itself", async () => {
    await using limited = await startService("--keyless-rate", "1");
    const client = createClient({ baseUrl: limited.url, rateLimit: false });
    const heads = await Promise.all([1, 2].map(() => client.getMasterchainInfo()));
    expect(heads.map(({ last }) => last.seqno)).toEqual([60, 60]);
  });
});
