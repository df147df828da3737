/** Several worker processes. The tests share one service, and the later ones kill its workers. */

import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@chain-query/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openKeyStore } from "../../src/limits/keys.ts";
import type { Status } from "../../src/status/status.ts";
import { ask, type ServiceResponse } from "../fixtures/ask.ts";
import { startCallers } from "../fixtures/callers.ts";
import { testChain } from "../fixtures/chain.ts";
import {
  childrenOf,
  type Exit,
  isAlive,
  type RunningCommand,
  run,
  start,
  startFromShell,
  startWith,
} from "../fixtures/command.ts";
import { temporaryFolder } from "../fixtures/service.ts";

const listening = "worker listening";
const keylessRate = 4;

describe("several workers", () => {
  const folder = temporaryFolder();
  const keys = join(folder.path, "keys");
  const flags = ["--port", "0", "--chain", testChain, "--no-produce", "--keys", keys, "--workers", "2"];
  const logging = ["--log-level", "debug", "--log-requests"];
  let command: RunningCommand;
  let url: string;
  let key: string;
  /** Headers of a request that no limit counts, on a connection of its own, so that the workers alternate. */
  let fresh: Record<string, string>;
  const killWorker = (): void => void process.kill(command.pids(listening).find(isAlive) ?? expect.unreachable(), "SIGKILL");
  /** Waits until so many workers were replaced, and both respond. */
  const untilListening = async (replaced: number): Promise<void> => {
    await until(() => command.pids(listening).length === 2 + replaced || undefined);
    const nodes = new Set<string | undefined>();
    await until(async () => {
      nodes.add((await ask(url, "getMasterchainInfo", {}, fresh)).body["@extra"]?.split(":")[1]);
      return nodes.size === 2 || undefined;
    });
  };

  beforeAll(async () => {
    const store = openKeyStore(keys);
    key = (await store.add("alice", { rate: 0 })).text;
    await store.close();
    fresh = { connection: "close", "x-api-key": key };
    command = start(...flags, ...logging, "--keyless-rate", String(keylessRate));
    url = await command.url;
  });
  afterAll(async () => {
    await command[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  test("share the requests, each with its own number", async () => {
    // A busy machine may give many connections in a row to one worker.
    const nodes = new Set<string | undefined>();
    await until(async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask(url, "getMasterchainInfo", {}, fresh)));
      for (const { body } of answers) nodes.add(body["@extra"]?.split(":")[1]);
      return nodes.size > 1 || undefined;
    });
    expect([...nodes].sort()).toEqual(["0", "1"]);
  });

  test("report common metrics", async () => {
    for (let round = 0; round < 10; round++) await ask(url, "getTransactionsStd", { address: "x" }, fresh);
    for (let round = 0; round < 4; round++) {
      const text = await (await fetch(`${url}/metrics`, { headers: fresh })).text();
      expect(text).toContain('chain_query_request_duration_seconds_count{operation="getTransactionsStd",status="422"} 10');
      expect(text).toContain("chain_query_head_seqno 60");
      expect(text).toContain('chain_query_restarts_total{process="worker"} 0');
      expect(text).toMatch(/^chain_query_build_info\{version="\d[^"]*",node="v\d+[^"]*"\} 1$/m);
      expect(text).toMatch(/^process_cpu_seconds_total \d/m);
    }
  });

  test("count one common limit", async () => {
    const counts: Record<number, number> = {};
    const started = Date.now();
    const asked = Array.from({ length: 40 }, () => ask(url, "getMasterchainInfo", {}, { connection: "close" }));
    for (const { status } of await Promise.all(asked)) counts[status] = (counts[status] ?? 0) + 1;
    const seconds = Math.ceil((Date.now() - started) / 1000) + 1;
    expect(counts[200]).toBeLessThanOrEqual(keylessRate * seconds);
    expect(counts[429]).toBeGreaterThan(0);
  });

  test("report the requests of all workers in /status.json", async () => {
    // Each worker compares its own samples, so both samples have to come over one connection.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sample = async (): Promise<Status> => {
      const [response] = await once(get(`${url}/status.json`, { agent, headers: { "x-api-key": key } }), "response");
      return json(response) as Promise<Status>;
    };
    const total = 12;
    await until(async () => {
      await sample();
      for (let round = 0; round < total; round++)
        await ask(url, round % 4 === 0 ? "lookupBlock" : "getMasterchainInfo", {}, fresh);
      await sleep(1000);
      const { requests } = await sample();
      const counted = Math.round((requests?.perSecond ?? 0) * (requests?.seconds ?? 0));
      return counted >= total || undefined;
    });
    agent.destroy();
  });

  test("lose only the requests in progress of a killed worker, and send no wrong response", async () => {
    const count = 6;
    const callers = startCallers(url, { count, headers: { "x-api-key": key } });
    await until(() => callers.seen().answered > 50 || undefined);
    killWorker();
    const { answered } = callers.seen();
    await until(() => callers.seen().answered > answered + 50 || undefined);
    const { wrong, cut } = await callers.stop();
    expect(wrong).toEqual([]);
    // A kept connection to the worker is cut, and one more attempt at most before its socket is closed.
    expect(cut).toBeLessThanOrEqual(2 * count);
    await untilListening(1);
  });

  test("respond to callers whose connections were about to go to a killed worker", async () => {
    for (let kill = 2; kill <= 3; kill++) {
      const callers = startCallers(url, { count: 32, keepAlive: false, headers: { "x-api-key": key } });
      await until(() => callers.seen().answered > 100 || undefined);
      killWorker();
      // A connection that is neither answered nor closed would block this.
      expect((await callers.stop()).wrong).toEqual([]);
      await untilListening(kill);
    }
  });

  test("are replaced when all of them are killed at once, also without a block producer", async () => {
    for (const pid of command.pids(listening).filter(isAlive)) process.kill(pid, "SIGKILL");
    await untilListening(5);
  });

  test.runIf(process.platform === "linux")(
    "keep their port if all listening workers die while another one starts",
    async () => {
      const [first = expect.unreachable(), second = expect.unreachable()] = command.pids(listening).filter(isAlive);
      process.kill(first, "SIGKILL");
      await until(() => childrenOf(command.child.pid).some((pid) => pid !== first && pid !== second) || undefined);
      process.kill(second, "SIGKILL");
      await untilListening(7);
    },
  );

  test("apply their own limits while the primary hangs, and log that it does", async () => {
    const keyless = (): Promise<ServiceResponse> => ask(url, "getMasterchainInfo", {}, { connection: "close" });
    process.kill(command.child.pid ?? 0, "SIGSTOP");
    try {
      // These wait for the primary.
      await Promise.all(Array.from({ length: 20 }, keyless));
      const statuses = new Set<number>();
      await until(async () => {
        for (let round = 0; round < 20; round++) statuses.add((await keyless()).status);
        return statuses.size > 1 || undefined;
      });
      expect(statuses).toEqual(new Set([200, 429]));
      expect(command.log().filter(({ msg }) => String(msg).startsWith("the primary does not count"))).not.toEqual([]);
      const metrics = await fetch(`${url}/metrics`, { headers: fresh });
      const { error } = (await metrics.json()) as { error: string };
      expect([metrics.status, error]).toEqual([503, "the process that collects the metrics of all workers does not reply"]);
    } finally {
      process.kill(command.child.pid ?? 0, "SIGCONT");
    }
    const localCounts = async (): Promise<number> => {
      const text = await (await fetch(`${url}/metrics`, { headers: fresh })).text();
      return Number(/^chain_query_limiter_local_counts_total (\d+)$/m.exec(text)?.[1] ?? Number.NaN);
    };
    expect(await localCounts()).toBeGreaterThan(20);
    await until(async () => {
      const before = await localCounts();
      await Promise.all(Array.from({ length: 10 }, keyless));
      return (await localCounts()) === before || undefined;
    });
  });

  test("end with the service, and leave no key behind", async () => {
    const seen = [
      await (await fetch(`${url}/metrics`, { headers: fresh })).text(),
      ...(await misplacedKeys(url, key)),
      ...processFiles([command.child.pid, ...command.pids(listening).filter(isAlive)]),
    ];
    command.child.kill("SIGTERM");
    const { code, stdout, stderr }: Exit = await command.exit;
    expect(code).toBe(0);
    expect(command.pids(listening).filter(isAlive)).toEqual([]);
    expect(command.log().filter(({ msg }) => msg === "request completed").length).toBeGreaterThan(50);
    seen.push(stdout, stderr, ...readdirSync(keys).map((name) => readFileSync(join(keys, name), "latin1")));
    const secret = key.slice(-43);
    expect(seen.filter((one) => one.includes(secret.slice(0, 16)) || one.includes(secret.slice(-16)))).toEqual([]);
    expect(seen.length).toBeGreaterThan(9);
  });
});

/** Sends the key in wrong places, and a wrong key. Returns the texts of the responses. */
async function misplacedKeys(url: string, key: string): Promise<string[]> {
  const wrong = `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`;
  const answers = [
    await fetch(`${url}/nowhere?key=${key}`, { headers: { "x-api-key": key } }),
    await fetch(`${url}/api/v2/getMasterchainInfo?api_key=${key}`, { headers: { "x-api-key": key } }),
    await fetch(`${url}/api/v2/getMasterchainInfo`, { headers: { "x-api-key": wrong } }),
  ];
  return Promise.all(answers.map((answer) => answer.text()));
}

/** The command lines of processes, which other users of the machine can read. */
function processFiles(pids: readonly (number | undefined)[]): string[] {
  if (process.platform !== "linux") return [];
  return pids.flatMap((pid) => ["cmdline", "environ"].map((file) => readFileSync(`/proc/${pid}/${file}`, "latin1")));
}

describe.concurrent("the command with workers", () => {
  test.runIf(process.platform === "linux").each([
    ["it is stopped", "SIGINT"],
    ["one of them is killed", "SIGKILL"],
  ] as const)("ends workers that still load their modules when %s, without force", async (_, signal) => {
    using folder = temporaryFolder();
    const flags = ["--port", "0", "--chain", testChain, "--no-produce", "--keys", join(folder.path, "keys")];
    const blocked = "process.env.CHAIN_QUERY_WORKER_TASK&&Atomics.wait(new(Int32Array)(new(SharedArrayBuffer)(4)),0,0)";
    await using command = startWith({ NODE_OPTIONS: `--import=data:text/javascript,${blocked}` }, ...flags, "--workers", "2");
    const { pid = 0 } = command.child;
    const workers = await until(() => (childrenOf(pid).length === 2 ? childrenOf(pid) : undefined));
    process.kill(signal === "SIGINT" ? pid : (workers[0] ?? 0), signal);
    expect((await command.exit).code).toBe(signal === "SIGINT" ? 0 : 1);
    expect(command.log()).toEqual([]);
    expect(workers.filter(isAlive)).toEqual([]);
  });

  test("exits with 2 if the environment makes it a cluster worker itself", async () => {
    const { code, stderr } = await startFromShell('NODE_UNIQUE_ID=1 exec "$@"', "--port", "0", "--workers", "2").exit;
    expect(stderr).toMatch(/^chain-query-server: NODE_UNIQUE_ID is set in the environment, [^\n]*; unset it, [^\n]*\n$/);
    expect(code).toBe(2);
  });

  test("reports a port that is in use on one line, and exits with 2", async () => {
    using folder = temporaryFolder();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const keys = join(folder.path, "keys");
    const flags = ["--port", String(port), "--chain", testChain, "--no-produce", "--keys", keys, "--workers", "2"];
    const { code, stderr } = await run(...flags, "--log-level", "silent");
    await new Promise((resolve) => other.close(resolve));
    expect(stderr).toBe(`chain-query-server: port ${port} is in use on 127.0.0.1; choose another, or 0 for any free port\n`);
    expect(code).toBe(2);
  });
});
