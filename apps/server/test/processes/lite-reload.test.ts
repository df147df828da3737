/** Reloading the list of lite servers, in one process. */

import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { readLiteConfig } from "@chain-query/lite";
import { until } from "@chain-query/testing/until";
import { type Logger, pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "../../src/observability/log.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { type OpenSource, openSource } from "../../src/processes/open-chain.ts";
import { reloadFailed } from "../../src/processes/open-lite-servers.ts";
import { connect, requireHead } from "../../src/sources/lite-network.ts";
import { forkedChains, testChain } from "../fixtures/chain.ts";
import { liteOptions, startLiteNetwork } from "../fixtures/lite-network.ts";
import { serviceOptions, temporaryFolder } from "../fixtures/service.ts";

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
  await until(() => read().then((seqno) => seqno === right.seqno || undefined));
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
  await until(() => lines.some(({ msg }) => msg === alarm) || undefined);
  const logged = lines.map(({ msg }) => msg);
  expect(logged.slice(0, logged.indexOf(alarm))).toContain("lite server failing, will be tried again");
  await source.close();
  for (const socket of sockets) socket.destroy();
  silent.close();
});

test("reloads that overlap leave no connection behind", async () => {
  await using network = await startLiteNetwork(testChain, 1);
  const { source, reload } = await openOn(network.config);
  await Promise.all([reload(), reload(), reload(), reload(), reload()]);
  await source.close();
  await until(() => network.connections(0) === 0 || undefined);
});

test("a source that is closed during a reload, or before, leaves no connection behind", async () => {
  await using network = await startLiteNetwork(testChain, 1);
  const { source, reload } = await openOn(network.config);
  const before = network.connections(0);
  const reloading = reload();
  await until(() => network.connections(0) > before || undefined);
  await source.close();
  await reloading;
  await until(() => network.connections(0) === 0 || undefined);
  await reload();
  await until(() => network.connections(0) === 0 || undefined);
  expect(before).toBe(1);
});
