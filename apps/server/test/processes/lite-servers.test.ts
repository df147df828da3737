/** The service on lite servers, in one process: status and metrics when servers fail. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MASTERCHAIN } from "@chain-query/format/identifiers";
import { prune, refuse, shortHistory, silentConnection, staleHead } from "@chain-query/lite/faults";
import { until } from "@chain-query/testing/until";
import { describe, expect, test } from "vitest";
import { ask, readinessOf, resultOf } from "../fixtures/ask.ts";
import { knownChain, longestHistory, rawAddress, testChain } from "../fixtures/chain.ts";
import { ready, serversOf } from "../fixtures/lite-command.ts";
import { liteOptions, startLiteNetwork, waitForHead } from "../fixtures/lite-network.ts";
import { startService, temporaryFolder } from "../fixtures/service.ts";

// Before there are lite servers in this process, which could not answer meanwhile.
const history = longestHistory();
const [newest, other] = history;

describe.concurrent("the service on lite servers", () => {
  test("starts before its servers, responds 542 with the reason, and is ready as soon as one server is", async () => {
    await using network = await startLiteNetwork(testChain, 1);
    await network.stop(0);
    await using service = await startService({ source: { ...liteOptions, servers: network.config } });
    const { url } = service;
    expect(await readinessOf(url)).toEqual([
      503,
      expect.stringMatching(/^no lite server is connected: 1 (connecting|failing)$/),
    ]);
    for (const id of ["getMasterchainInfo", "getConsensusBlock", "getOutMsgQueueSize"] as const)
      expect((await ask(url, id)).body).toMatchObject({ code: 542, error: expect.stringContaining("no lite server") });
    expect((await ask(url, "getAddressInformation", { address: `0:${"17".repeat(32)}` })).status).toBe(542);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await network.start(0);
    await ready(url);
    expect((await resultOf(url, "getMasterchainInfo")).last.seqno).toBe(60);
  });

  test.each([
    ["stays behind", staleHead(20)],
    ["never answers", silentConnection()],
  ])("is ready with one server beside one that %s", async (_, behaviour) => {
    await using network = await startLiteNetwork(testChain, 2, [[], [behaviour]]);
    await using service = await startService({ source: { ...liteOptions, servers: network.config } });
    await ready(service.url);
    await waitForHead(service.url, 60);
  });

  test("is not ready with archival servers alone, since they do not report the head", async () => {
    await using network = await startLiteNetwork(testChain, 2);
    using folder = temporaryFolder();
    const archive = join(folder.path, "archive.json");
    network.configure([1]);
    writeFileSync(archive, readFileSync(network.config));
    network.configure([0]);
    await network.stop(0);
    const source = { ...liteOptions, servers: network.config, archival: archive };
    await using service = await startService({ source });
    const { url } = service;
    await until(async () => (await serversOf(url)).find(({ archival, state }) => archival && state === "ready"));
    expect(await readinessOf(url)).toEqual([
      503,
      expect.stringMatching(/^no lite server is connected: 1 (connecting|failing)$/),
    ]);
    expect((await ask(url, "getMasterchainInfo")).body).toMatchObject({ code: 542 });
    await network.start(0);
    await ready(url);
  });

  test("shows on the status page and in the metrics which servers work, without their addresses", async () => {
    await using network = await startLiteNetwork(testChain, 3);
    await using service = await startService({ source: { ...liteOptions, servers: network.config } });
    const { url } = service;
    await ready(url);
    const states = async () => (await serversOf(url)).map(({ state }) => state).sort();
    await until(async () => (await states()).every((state) => state === "ready") || undefined);
    await network.stop(1);
    const failing = await until(async () => (await serversOf(url)).find(({ state }) => state === "failing")?.name);
    expect((await resultOf(url, "getAddressInformation", { address: `-1:${"17".repeat(32)}` })).state).toBe("uninitialized");
    const status = await (await fetch(`${url}/status.json`)).text();
    const metrics = await (await fetch(`${url}/metrics`)).text();
    for (const text of [status, metrics]) expect(text).not.toMatch(/127\.0\.0\.1/);
    expect(metrics).toContain(`chain_query_lite_server_ready{server="${failing}"} 0`);
    expect(metrics).toMatch(/chain_query_lite_server_head_seqno\{server="[0-9a-f]{8}"\} 60/);
    expect(metrics).toMatch(
      /chain_query_lite_answer_duration_seconds_count\{server="[0-9a-f]{8}",function="getAccountState"\} [1-9]/,
    );
    expect(metrics).toContain("chain_query_head_seqno 60");
    expect(metrics).toMatch(/chain_query_read_duration_seconds_count\{read="account",failed="false"\} [1-9]/);
    await network.start(1);
    await until(async () => (await states()).every((state) => state === "ready") || undefined);
  });

  test.each([
    ["a server", -400],
    ["a proxy", 410],
  ])("says that history is missing where %s no longer has it, and 404 only for what is proved absent", async (_, code) => {
    if (newest === undefined || other === undefined) throw new Error("the chain has transactions");
    const pruned = refuse(code, "cannot compute block with specified transaction: lt not in db", { name: "getTransactions" });
    await using network = await startLiteNetwork(testChain, 2, [[pruned], [pruned]]);
    await using service = await startService({ source: { ...liteOptions, servers: network.config } });
    const { url } = service;
    await ready(url);
    const [lt, hash] = [String(newest.id.lt), Buffer.from(newest.id.hash).toString("hex")];
    const address = rawAddress(newest.account);
    expect((await ask(url, "getTransactionsStd", { address, lt, hash })).body).toMatchObject({
      ...{ code: 500, error: `lt ${lt} is not in this node's history, use archival=true to reach it` },
    });
    expect((await ask(url, "getTransactionsStd", { address, lt, hash, archival: true })).body).toMatchObject({
      ...{ code: 500, error: `lt ${lt} is not in the history of this node's lite servers` },
    });
    const wrong = { lt, hash: Buffer.from(other.id.hash).toString("hex") };
    expect((await ask(url, "getTransactionsStd", { address, ...wrong })).body).toMatchObject({
      ...{ code: 404, error: `transaction was not found: the account has none with lt ${lt} and this hash` },
    });
  });

  test("ends a page where the history of all servers does", async () => {
    // What one of them does not have, the other one does.
    const [endLt = 0n, later = 0n] = [29, 39].map((seqno) => knownChain().reader.block(MASTERCHAIN, { seqno })?.endLt);
    const behaviours = [
      [prune({ firstSeqno: 40, endLt: later }), shortHistory(1)],
      [prune({ firstSeqno: 30, endLt }), shortHistory(1)],
    ];
    await using network = await startLiteNetwork(testChain, 2, behaviours);
    await using service = await startService({ source: { ...liteOptions, servers: network.config } });
    await ready(service.url);
    const address = rawAddress(newest?.account ?? expect.unreachable());
    const page = await resultOf(service.url, "getTransactionsStd", { address, limit: 100, archival: false });
    const kept = history.filter(({ id }) => id.lt >= endLt).map(({ id }) => String(id.lt));
    expect(kept.length % 16).not.toBe(0);
    expect(page.transactions.map(({ transaction_id: { lt } }) => lt)).toEqual(kept);
    expect(page.previous_transaction_id.lt).toBe(String(history[kept.length]?.id.lt));
  });
});
