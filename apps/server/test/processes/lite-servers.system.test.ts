/** The command on lite servers: what its operator sees when they fail, change or cannot be used. */
import { once } from "node:events";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { refuse } from "@chain-query/lite-server/testing";
import { createChain, openProducer } from "@chain-query/local-chain";
import { describe, expect, inject, test } from "vitest";
import type { ServerState, Status } from "../../src/status/status.ts";
import { ask, resultOf, until } from "../fixtures/ask.ts";
import { copyChain, longestHistory, rawAddress } from "../fixtures/chain.ts";
import { type RunningCommand, run, start } from "../fixtures/command.ts";
import { startLiteNetwork } from "../fixtures/lite-network.ts";
import { temporaryFolder } from "../fixtures/service.ts";

/** Starts the service without limits. */
function serve(folder: string, config: string, ...flags: string[]): RunningCommand {
  return start("--port", "0", "--keyless-rate", "0", "--keys", join(folder, "keys"), "--lite-servers", config, ...flags);
}

const isReady = async (url: string): Promise<boolean> => (await fetch(`${url}/readyz`)).ok;
const ready = (url: string): Promise<true> => until(async () => (await isReady(url)) || undefined);

async function serversOf(url: string): Promise<readonly ServerState[]> {
  return ((await (await fetch(`${url}/status.json`)).json()) as Status).servers ?? [];
}

/** The names of the servers that each worker reads from, by the number of the worker. */
async function namesOf(url: string, workers: number): Promise<string[]> {
  const names = new Map<string, string>();
  while (names.size < workers) {
    // Both answers come over one connection, and so from one worker.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const fetchJson = async (path: string): Promise<unknown> => {
      const [response] = await once(get(url + path, { agent }), "response");
      return json(response);
    };
    const info = (await fetchJson("/api/v2/getMasterchainInfo")) as { "@extra": string };
    const { servers = [] } = (await fetchJson("/status.json")) as Status;
    names.set(info["@extra"].split(":")[1] ?? "", servers.map(({ name }) => name).join());
    agent.destroy();
  }
  return [...names.keys()].sort().map((worker) => names.get(worker) ?? "");
}

const kept = "the new lite servers cannot be used, keeping the old ones";
const workerListening = "worker listening";
const messages = (command: RunningCommand): unknown[] => command.log().map(({ msg }) => msg);

describe("a file of lite servers that cannot be used ends the start with one line", () => {
  const zero = { workchain: -1, shard: "-9223372036854775808", seqno: 0, root_hash: key(1), file_hash: key(2) };
  const server = { ip: 2130706433, port: 4443, id: { "@type": "pub.ed25519", key: key(3) } };
  const config = { liteservers: [server], validator: { zero_state: zero } };

  function key(byte: number, length = 32): string {
    return Buffer.alloc(length, byte).toString("base64");
  }

  test.each([
    ["no config", "port: 80", /config: must be JSON/],
    ["no servers", JSON.stringify({ ...config, liteservers: [] }), /liteservers: must list at least one lite server, got none/],
    [
      "a short key",
      JSON.stringify({ ...config, liteservers: [{ ...server, id: { ...server.id, key: key(3, 31) } }] }),
      /liteservers\[0\]\.id\.key: must be 32 bytes in base64/,
    ],
    [
      "a wrong port",
      JSON.stringify({ ...config, liteservers: [{ ...server, port: 65_536 }] }),
      /liteservers\[0\]\.port: must be a whole number from 1 to 65535, got 65536/,
    ],
    ["no zero state", JSON.stringify({ ...config, validator: {} }), /validator\.zero_state\b.*: must be/],
  ])("%s", async (_, content, problem) => {
    using folder = temporaryFolder();
    const file = join(folder.path, "global.config.json");
    writeFileSync(file, content);
    const { code, stdout, stderr } = await run("--lite-servers", file, "--port", "0", "--keys", join(folder.path, "keys"));
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.trimEnd().split("\n")).toEqual([expect.stringMatching(problem)]);
    expect(stderr).toContain(`chain-query-server: --lite-servers ${file}: `);
  });

  test("a missing file", async () => {
    const { code, stderr } = await run("--lite-servers", "/nowhere/net.json");
    expect([code, stderr.trimEnd().split("\n").length]).toEqual([2, 1]);
    expect(stderr).toContain("--lite-servers /nowhere/net.json: ENOENT");
  });

  test("both sources", async () => {
    expect(await run("--lite-servers", "net.json", "--chain", "my-chain")).toEqual({
      code: 2,
      stdout: "",
      stderr: "chain-query-server: --chain: is for a chain in a folder; expected it or --lite-servers, got both\n",
    });
  });
});

describe("the service on lite servers", () => {
  test("starts before they do, answers 542 and says why, and is ready when one of them is", async () => {
    using folder = temporaryFolder();
    await using network = await startLiteNetwork(inject("chain"), 1);
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
    await using network = await startLiteNetwork(inject("chain"), 2);
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
    await using network = await startLiteNetwork(inject("chain"), 1);
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
    await using network = await startLiteNetwork(inject("chain"), 3);
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

  test.each([1, 2])(
    "reads its file again at SIGHUP, and keeps the old servers if it cannot, with %i workers",
    async (workers) => {
      using folder = temporaryFolder();
      await using network = await startLiteNetwork(inject("chain"), 2);
      network.configure([0]);
      await using command = serve(folder.path, network.config, "--workers", String(workers));
      const url = await command.url;
      await ready(url);
      const old = await namesOf(url, workers);
      const good = readFileSync(network.config, "utf8");
      writeFileSync(network.config, "{");
      command.child.kill("SIGHUP");
      await until(() => messages(command).includes(kept) || undefined);
      expect(command.log().find(({ msg }) => msg === kept)).toMatchObject({
        reason: expect.stringContaining(`--lite-servers ${network.config}: config: must be JSON`),
      });
      expect(await namesOf(url, workers)).toEqual(old);
      writeFileSync(network.config, good);
      network.configure([1]);
      command.child.kill("SIGHUP");
      const read = "reading from the lite servers of the new file";
      await until(() => messages(command).filter((msg) => msg === read).length === workers || undefined);
      // The page is made once a second.
      const names = await until(async () => {
        const now = await namesOf(url, workers);
        return now.some((name) => old.includes(name)) ? undefined : now;
      });
      expect(new Set(names).size).toBe(1);
      await network.stop(0);
      expect((await resultOf(url, "getOutMsgQueueSize")).shards.length).toBe(5);
    },
  );

  test("reads its file again after a SIGHUP during the start", async () => {
    using folder = temporaryFolder();
    await using network = await startLiteNetwork(inject("chain"), 2);
    network.configure([0]);
    await network.stop(0);
    await using command = serve(folder.path, network.config);
    // The process waits for a head now, before it listens.
    await until(() => messages(command).includes("lite server failing, will be tried again") || undefined);
    network.configure([1]);
    command.child.kill("SIGHUP");
    const url = await command.url;
    await ready(url);
    expect((await resultOf(url, "getMasterchainInfo")).last.seqno).toBe(60);
  });

  test.each([1, 2])("keeps the old servers if the new ones do not answer, with %i workers", async (workers) => {
    using folder = temporaryFolder();
    await using network = await startLiteNetwork(inject("chain"), 2);
    network.configure([0]);
    await using command = serve(folder.path, network.config, "--workers", String(workers));
    const url = await command.url;
    await ready(url);
    const old = await namesOf(url, workers);
    await network.stop(1);
    network.configure([1]);
    command.child.kill("SIGHUP");
    await until(() => messages(command).includes(kept) || undefined);
    expect(command.log().filter(({ msg }) => msg === kept)).toMatchObject([
      { reason: "none of its servers names a masterchain block within 10 s" },
    ]);
    expect(await namesOf(url, workers)).toEqual(old);
    expect((await resultOf(url, "getMasterchainInfo")).last.seqno).toBe(60);
  });

  test("does not use servers of another network, also in a worker that starts later", async () => {
    using folder = temporaryFolder();
    const otherChain = join(folder.path, "other");
    await createChain(otherChain, { seed: 2, startTime: Math.floor(Date.now() / 1000) - 60, accounts: 10 });
    await using network = await startLiteNetwork(inject("chain"), 1);
    await using other = await startLiteNetwork(otherChain, 1);
    await using command = serve(folder.path, network.config, "--workers", "2");
    const url = await command.url;
    await ready(url);
    const old = await namesOf(url, 2);
    copyFileSync(other.config, network.config);
    command.child.kill("SIGHUP");
    await until(() => messages(command).includes(kept) || undefined);
    const [pid] = command.pids(workerListening);
    if (pid === undefined) throw new Error("the log names the workers");
    process.kill(pid, "SIGKILL");
    await until(() => command.pids(workerListening).length === 3 || undefined);
    expect(await namesOf(url, 2)).toEqual(old);
    expect(command.log().filter(({ msg }) => msg === kept)).toMatchObject([
      { reason: "its zero_state is that of another network" },
    ]);
  });

  test("reads its file again also in a worker that starts meanwhile", async () => {
    using folder = temporaryFolder();
    await using network = await startLiteNetwork(inject("chain"), 2);
    network.configure([0]);
    await using command = serve(folder.path, network.config, "--workers", "2");
    const url = await command.url;
    await ready(url);
    const old = await namesOf(url, 2);
    await network.stop(0);
    const [pid] = command.pids(workerListening);
    if (pid === undefined) throw new Error("the log names the workers");
    process.kill(pid, "SIGKILL");
    const sinceDeath = () => {
      const lines = command.log();
      const death = lines.findIndex(({ msg }) => msg === "worker died, restarting");
      return death < 0 ? [] : lines.slice(death).map(({ source, msg }) => `${source}: ${msg}`);
    };
    const number = command.log().find(({ msg }) => msg === workerListening)?.["worker"];
    // It has read the old list, and waits for a head before it listens.
    await until(() => sinceDeath().includes(`worker ${number}: lite server failing, will be tried again`) || undefined);
    network.configure([1]);
    command.child.kill("SIGHUP");
    await until(async () => (await namesOf(url, 2)).every((name) => !old.includes(name)) || undefined);
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
    using folder = temporaryFolder();
    const pruned = refuse(code, "cannot compute block with specified transaction: lt not in db", { name: "getTransactions" });
    await using network = await startLiteNetwork(inject("chain"), 2, [pruned]);
    await using command = serve(folder.path, network.config);
    const url = await command.url;
    await ready(url);
    const [newest, other] = longestHistory();
    if (newest === undefined || other === undefined) throw new Error("the chain has transactions");
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

  test("refuses a port in use", async () => {
    using folder = temporaryFolder();
    await using network = await startLiteNetwork(inject("chain"), 1);
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const address = other.address();
    const port = String(typeof address === "object" ? address?.port : 0);
    const keys = join(folder.path, "keys");
    const { code, stderr } = await run(
      "--port",
      port,
      "--keys",
      keys,
      "--lite-servers",
      network.config,
      "--log-level",
      "silent",
    );
    other.close();
    expect([code, stderr]).toEqual([2, expect.stringContaining(`port ${port} is in use`)]);
  });
});
