/** The command on lite servers: what its operator sees when they fail or change. */
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { refuse } from "@chain-query/lite-server/testing";
import { openProducer } from "@chain-query/local-chain";
import { describe, expect, test } from "vitest";
import { ask, resultOf, until } from "../fixtures/ask.ts";
import { copyChain, longestHistory, rawAddress, testChain } from "../fixtures/chain.ts";
import { messages, ready, serve, serversOf } from "../fixtures/lite-command.ts";
import { startLiteNetwork } from "../fixtures/lite-network.ts";
import { temporaryFolder } from "../fixtures/service.ts";

describe("the service on lite servers", () => {
  test("starts before they do, answers 542 and says why, and is ready when one of them is", async () => {
    using folder = temporaryFolder();
    await using network = await startLiteNetwork(testChain, 1);
    await network.stop(0);
    await using command = serve(folder.path, network.config);
    const url = await command.url;
    const notReady = await fetch(`${url}/readyz`);
    expect([notReady.status, await notReady.json()]).toEqual([
      503,
      { ok: false, code: 503, error: expect.stringMatching(/^no lite server is connected: 1 (connecting|failing)$/) },
    ]);
    for (const id of ["getMasterchainInfo", "getConsensusBlock", "getOutMsgQueueSize"] as const)
      expect((await ask(url, id)).body).toMatchObject({ code: 542, error: expect.stringContaining("no lite server") });
    expect((await ask(url, "getAddressInformation", { address: `0:${"17".repeat(32)}` })).status).toBe(542);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await network.start(0);
    await ready(url);
    expect((await resultOf(url, "getMasterchainInfo")).last.seqno).toBe(60);
    expect(messages(command)).toEqual(
      expect.arrayContaining(["lite server failing, will be tried again", "lite server connected", "listening"]),
    );
  });

  test("is not ready with archival servers alone, which are not asked for the head", async () => {
    using folder = temporaryFolder();
    await using network = await startLiteNetwork(testChain, 2);
    const archive = join(folder.path, "archive.json");
    network.configure([1]);
    writeFileSync(archive, readFileSync(network.config));
    network.configure([0]);
    await network.stop(0);
    await using command = serve(folder.path, network.config, "--lite-archival", archive);
    const url = await command.url;
    await until(() => messages(command).includes("lite server connected") || undefined);
    const notReady = await fetch(`${url}/readyz`);
    expect([notReady.status, await notReady.json()]).toEqual([
      503,
      { ok: false, code: 503, error: expect.stringMatching(/^no lite server is connected: 1 (connecting|failing)$/) },
    ]);
    expect((await ask(url, "getMasterchainInfo")).body).toMatchObject({ code: 542 });
    expect((await serversOf(url)).map(({ archival, state }) => [archival, state])).toContainEqual([true, "ready"]);
    await network.start(0);
    await ready(url);
  });

  test("raises no alarm at the start before its servers had time to connect", async () => {
    using folder = temporaryFolder();
    await using network = await startLiteNetwork(testChain, 1);
    await network.stop(0);
    const { liteservers } = JSON.parse(readFileSync(network.config, "utf8")) as { liteservers: { port: number }[] };
    // Accepts connections, and never answers.
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket)).listen(liteservers[0]?.port, "127.0.0.1");
    await once(silent, "listening");
    try {
      await using command = serve(folder.path, network.config);
      const alarm = "no lite server can be read, operations answer 542";
      await until(() => messages(command).includes(alarm) || undefined);
      const told = messages(command);
      expect(told.slice(0, told.indexOf(alarm))).toContain("lite server failing, will be tried again");
    } finally {
      for (const socket of sockets) socket.destroy();
      silent.close();
    }
  });

  test("shows on the status page and in the metrics which servers work, without their addresses", async () => {
    using folder = temporaryFolder();
    await using network = await startLiteNetwork(testChain, 3);
    await using command = serve(folder.path, network.config);
    const url = await command.url;
    await ready(url);
    const states = async () => (await serversOf(url)).map(({ state }) => state).sort();
    await until(async () => (await states()).every((state) => state === "ready") || undefined);
    await network.stop(1);
    await until(async () => (await states()).includes("failing") || undefined);
    expect(await states()).toEqual(["failing", "ready", "ready"]);
    expect((await resultOf(url, "getAddressInformation", { address: `-1:${"17".repeat(32)}` })).state).toBe("uninitialized");
    const status = await (await fetch(`${url}/status.json`)).text();
    const metrics = await (await fetch(`${url}/metrics`)).text();
    for (const text of [status, metrics]) expect(text).not.toMatch(/127\.0\.0\.1/);
    const failing = (await serversOf(url)).find(({ state }) => state === "failing")?.name;
    expect(metrics).toContain(`chain_query_lite_server_ready{server="${failing}"} 0`);
    expect(metrics).toMatch(/chain_query_lite_server_head_seqno\{server="[0-9a-f]{8}"\} 60/);
    expect(metrics).toMatch(
      /chain_query_lite_answer_duration_seconds_count\{server="[0-9a-f]{8}",function="getAccountState"\} 1/,
    );
    expect(metrics).toContain("chain_query_head_seqno 60");
    await network.start(1);
    await until(async () => (await states()).every((state) => state === "ready") || undefined);
  });

  test("answers with one head that never goes back from two workers, while blocks are made", async () => {
    using folder = temporaryFolder();
    const chain = copyChain(folder.path);
    const producer = await openProducer(chain);
    await using network = await startLiteNetwork(chain, 2);
    await using command = serve(folder.path, network.config, "--workers", "2");
    const url = await command.url;
    await ready(url);
    const nodes = new Set<string | undefined>();
    const backwards: string[] = [];
    let newest = 0;
    try {
      const target = producer.head.seqno + 15;
      let isProducing = true;
      const askHeads = async (): Promise<void> => {
        while (isProducing) {
          // Each request has a connection of its own, so that the workers take turns; one after another, so that "back" has a meaning.
          const { body } = await ask(url, "getMasterchainInfo", {}, { connection: "close" });
          const { last } = body.result as { last: { seqno: number } };
          if (last.seqno < newest) backwards.push(`${last.seqno} after ${newest} from worker ${body["@extra"]?.split(":")[1]}`);
          newest = last.seqno;
          nodes.add(body["@extra"]?.split(":")[1]);
        }
      };
      const asking = askHeads();
      while (producer.head.seqno < target) await producer.step();
      await until(() => newest >= target || undefined);
      isProducing = false;
      await asking;
    } finally {
      await producer.close();
    }
    expect([...nodes].sort()).toEqual(["0", "1"]);
    expect(backwards).toEqual([]);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain(`chain_query_head_seqno ${newest}\n`);
    // Of both workers, and so added up or not.
    expect(metrics.match(/^chain_query_lite_server_ready\{server="[0-9a-f]{8}"\} 1$/gm)?.length).toBe(2);
  });

  test.each([
    ["a server", -400],
    ["a proxy", 410],
  ])("says that history is missing where %s no longer has it, and 404 only for what is proved absent", async (_, code) => {
    // Before there are lite servers in this process, which could not answer meanwhile.
    const [newest, other] = longestHistory();
    if (newest === undefined || other === undefined) throw new Error("the chain has transactions");
    using folder = temporaryFolder();
    const pruned = refuse(code, "cannot compute block with specified transaction: lt not in db", { name: "getTransactions" });
    await using network = await startLiteNetwork(testChain, 2, [pruned]);
    await using command = serve(folder.path, network.config);
    const url = await command.url;
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
});
