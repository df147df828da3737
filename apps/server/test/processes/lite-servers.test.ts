/** The service on lite servers, in one process: status and metrics when servers fail, and reloads of their list. */

import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { MASTERCHAIN } from "@chain-query/format/identifiers";
import { readLiteConfig } from "@chain-query/lite";
import { prune, refuse, shortHistory } from "@chain-query/lite/faults";
import { until } from "@chain-query/testing/until";
import { type Logger, pino } from "pino";
import { describe, expect, onTestFinished, test } from "vitest";
import { createLog } from "../../src/observability/log.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { type OpenSource, openSource } from "../../src/processes/open-chain.ts";
import { reloadFailed } from "../../src/processes/open-lite-servers.ts";
import { connect, requireHead } from "../../src/sources/lite-network.ts";
import { ask, readinessOf, resultOf } from "../fixtures/ask.ts";
import { forkedChains, knownChain, longestHistory, rawAddress, testChain } from "../fixtures/chain.ts";
import { liteOptions, ready, serversOf, startLiteNetwork } from "../fixtures/lite-network.ts";
import { serviceOptions, startService, temporaryFolder } from "../fixtures/service.ts";

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

  test("shows on the status page and in the metrics which servers work, without their addresses", async () => {
    await using network = await startLiteNetwork(testChain, 3);
    await using service = await startService({ source: { ...liteOptions, servers: network.config } });
    const { url } = service;
    await ready(url);
    const states = async () => (await serversOf(url)).map(({ state }) => state).sort();
    await until(async () => (await states()).every((state) => state === "ready"));
    await network.stop(1);
    const failing = await until(async () => (await serversOf(url)).find(({ state }) => state === "failing")?.name);
    for (const path of ["status.json", "metrics"])
      expect(await (await fetch(`${url}/${path}`)).text()).not.toMatch(/127\.0\.0\.1/);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain(`chain_query_lite_server_ready{server="${failing}"} 0`);
    await network.start(1);
    await until(async () => (await states()).every((state) => state === "ready"));
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

function openOn(config: string, log = createLog("silent")): Promise<OpenSource> {
  const source = { ...liteOptions, servers: config, keys: "" };
  const setting = { identity: undefined, log };
  return openSource(
    { ...serviceOptions, source },
    setting,
    createMetrics(async () => undefined),
  );
}

/** A log, and its lines so far. */
function memoryLog(): { log: Logger; lines: { msg: string; reason?: string }[] } {
  const lines: { msg: string; reason?: string }[] = [];
  return { log: pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) }), lines };
}

test("a file that cannot be used keeps the old servers, and a valid one replaces them", async () => {
  await using network = await startLiteNetwork(testChain, 2);
  network.configure([0]);
  const { log, lines } = memoryLog();
  const { source, servers, reload } = await openOn(network.config, log);
  const names = () => servers?.().map(({ name }) => name);
  const old = names();
  const good = readFileSync(network.config, "utf8");
  writeFileSync(network.config, "{");
  await reload();
  expect(lines.at(-1)).toMatchObject({
    msg: reloadFailed,
    reason: expect.stringContaining(`${network.config}: config: must be JSON`),
  });
  expect(names()).toEqual(old);
  const config = JSON.parse(good) as { validator: { zero_state: object } };
  const zero_state = { ...config.validator.zero_state, root_hash: Buffer.alloc(32, 1).toString("base64") };
  writeFileSync(network.config, JSON.stringify({ ...config, validator: { ...config.validator, zero_state } }));
  await reload();
  expect(lines.at(-1)).toMatchObject({ msg: reloadFailed, reason: "its zero_state is that of another network" });
  expect(names()).toEqual(old);
  network.configure([1]);
  await reload();
  expect(lines.at(-1)?.msg).toBe("reading from the lite servers of the new file");
  expect(names()).not.toEqual(old);
  await network.stop(0);
  expect((await source.head(AbortSignal.timeout(60_000))).block.id.seqno).toBe(60);
  await source.close();
});

test("after two signed chains, no servers replace the old ones", async () => {
  using folder = temporaryFolder();
  const [fork, right] = await forkedChains(folder.path);
  await using network = await startLiteNetwork(right.chain, 1);
  const { log, lines } = memoryLog();
  const { source, reload } = await openOn(network.config, log);
  const read = async () => (await source.head(AbortSignal.timeout(60_000))).block.id.seqno;
  await until(() => read().then((seqno) => seqno === right.seqno));
  await network.stop(0);
  await network.start(0, fork.chain);
  await until(
    () => read().then(String, String),
    (read) => read.includes("two chains"),
  );
  await reload();
  const reason = expect.stringContaining("validators have signed two chains");
  expect(lines.at(-1)).toMatchObject({ msg: reloadFailed, reason });
  await source.close();
});

test("new servers must have a head within a time limit, and the newest block so far in its chain", async () => {
  using folder = temporaryFolder();
  const [fork, right] = await forkedChains(folder.path);
  await using longer = await startLiteNetwork(fork.chain, 1);
  await using network = await startLiteNetwork(right.chain, 1);
  const clientOf = ({ config: servers }: { config: string }) => {
    const lite = { ...liteOptions, servers };
    const { client } = connect(readLiteConfig(lite), lite, serviceOptions, () => {});
    onTestFinished(() => client.close());
    return client;
  };
  const [client, other] = [clientOf(network), clientOf(longer)];
  const heads = await Promise.all([client, other].map(async (each) => (await each.waitForHead()).block));
  const [own, newer] = [heads[0] ?? expect.unreachable(), heads[1] ?? expect.unreachable()];
  await requireHead(client, client.zeroState, own);
  await expect(requireHead(other, other.zeroState, own)).rejects.toThrow(
    `the newest block so far, ${right.seqno}, is not in the chain of its servers; restart to read theirs`,
  );
  await expect(requireHead(client, client.zeroState, newer, 300)).rejects.toThrow(
    `its servers do not have the newest block so far, ${fork.seqno}, within 0.3 s`,
  );
  await network.stop(0);
  await expect(requireHead(clientOf(network), client.zeroState, undefined, 100)).rejects.toThrow(
    "no masterchain block of its servers is accepted within 0.1 s",
  );
});

test("a key of no server in the file is refused in one line", async () => {
  await using network = await startLiteNetwork(testChain, 1);
  const lite = { ...liteOptions, servers: network.config, headFrom: new Uint8Array(32) };
  expect(() => connect(readLiteConfig(lite), lite, serviceOptions, () => {})).toThrow(
    expect.objectContaining({
      name: "ConfigError",
      message: `headFrom (--lite-head-from): must be the public key of a lite server that the file lists, got ${"A".repeat(43)}=`,
    }),
  );
});

test("no alarm is raised at the start before the servers had time to connect", async () => {
  await using network = await startLiteNetwork(testChain, 1);
  await network.stop(0);
  const { liteservers } = JSON.parse(readFileSync(network.config, "utf8")) as { liteservers: { port: number }[] };
  // Accepts connections, and never answers.
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(liteservers[0]?.port, "127.0.0.1");
  await once(silent, "listening");
  const { log, lines } = memoryLog();
  const { source } = await openOn(network.config, log);
  const alarm = "no lite server can be read, operations respond with 542";
  await until(() => lines.some(({ msg }) => msg === alarm));
  const logged = lines.map(({ msg }) => msg);
  expect(logged.slice(0, logged.indexOf(alarm))).toContain("lite server failing, will be tried again");
  await source.close();
  for (const socket of sockets) socket.destroy();
  silent.close();
});

test("reloads that overlap, and a source that is closed during one or before, leave no connection behind", async () => {
  await using network = await startLiteNetwork(testChain, 1);
  const { source, reload } = await openOn(network.config);
  const before = network.connections(0);
  const reloading = Promise.all([reload(), reload(), reload()]);
  await until(() => network.connections(0) > before);
  await source.close();
  await reloading;
  await until(() => network.connections(0) === 0);
  await reload();
  await until(() => network.connections(0) === 0);
  expect(before).toBe(1);
});
