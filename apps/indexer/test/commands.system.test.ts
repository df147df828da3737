import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatGlobalConfig, liteChain, startLiteServer } from "@chain-query/lite/answers";
import { openChain, openProducer } from "@chain-query/local-chain";
import { copyMadeChain, madeChain } from "@chain-query/local-chain/testing";
import { SMALL } from "@chain-query/testing/chains";
import { temporaryFolder } from "@chain-query/testing/folders";
import { inDatabase, type PostgresDatabases, sharedPostgres } from "@chain-query/testing/services";
import { until } from "@chain-query/testing/until";
import { beforeAll, describe, expect, test } from "vitest";
import { emptyIndexTemplate, grownChain, syntheticChain } from "./chains.ts";
import { heldIndex, hold } from "./holds.ts";
import { digestOf, headOf, indexWhole } from "./indexes.ts";
import { type RunningIndexer, run, start, startProcess } from "./processes.ts";

let server: PostgresDatabases;
beforeAll(async () => {
  server = await sharedPostgres();
});

const emptyIndex = (): Promise<string> => server.createDatabase(emptyIndexTemplate);

/** Indexes until a step is published, then ends as Ctrl-C does. */
async function indexUntil(url: string, seqno: number, ...args: readonly string[]): Promise<RunningIndexer> {
  const indexer = start(url, "run", ...args);
  await indexer.reached(seqno);
  expect((await indexer.end("SIGINT")).code).toBe(0);
  return indexer;
}

describe("migrate", () => {
  test("makes the tables, and does nothing the second time", async () => {
    const url = await server.createDatabase();
    expect(await run(url, "migrate")).toEqual({ code: 0, stdout: "schema version 1: ran 1 migration\n", stderr: "" });
    expect(await run(url, "migrate")).toEqual({ code: 0, stdout: "schema version 1: nothing to do\n", stderr: "" });
  });
});

describe("run", () => {
  test("indexes a chain, ends after a commit, and continues from there", async () => {
    const [url, chain] = [await server.createDatabase(heldIndex), await syntheticChain(30)];
    await using held = await hold(url, "head", 3);
    const first = startProcess(url, "run", "--from-chain", chain, "--batch", "2");
    await first.until(held.isReached);
    first.signal("SIGINT");
    await held.release();
    expect((await first.ended()).code).toBe(0);
    const head = (await headOf(url)) ?? 0;
    expect(head).toBeLessThan(30);
    expect(first.log.at(-1)).toMatchObject({ level: 30, source: "indexer", msg: `ended after step ${head}` });
    const second = await indexUntil(url, 30, "--from-chain", chain);
    expect(second.log.at(-1)).toMatchObject({ msg: "ended after step 30" });
    expect(second.stdout).toBe("");
  });

  test("follows a chain that another process writes", async () => {
    const [url, chain] = [await emptyIndex(), join(temporaryFolder(), "chain")];
    await copyMadeChain(chain, SMALL);
    const indexer = startProcess(url, "run", "--from-chain", chain);
    await indexer.reached(12);
    const producer = await openProducer(chain);
    for (const seqno of [13, 14]) {
      await producer.step();
      await indexer.reached(seqno);
    }
    await producer.close();
    await indexer.until(() => indexer.phases.at(-1) === "following");
    expect(indexer.phases[0]).toBe("starting");
  });

  test("writes the same rows from lite servers as from the folder", async () => {
    const [url, other, folder] = [await emptyIndex(), await emptyIndex(), await madeChain(SMALL)];
    const chain = openChain(folder);
    const liteServer = await startLiteServer({ chain: liteChain(chain), key: new Uint8Array(32).fill(9) });
    const config = join(temporaryFolder(), "global.config.json");
    writeFileSync(config, formatGlobalConfig(liteServer.config()));
    await indexWhole(url, folder);
    const indexer = start(other, "run", "--from-lite-servers", config, "--batch", "2", "--admin-address", "127.0.0.1:0");
    await indexer.reached(5);
    const metrics = await (await fetch(`${indexer.stdout.trim()}/metrics`)).text();
    expect(metrics).toMatch(/^chain_query_lite_server_ready\{server="[0-9a-f]{8}"\} 1$/m);
    expect(metrics).toMatch(
      /^chain_query_lite_answer_duration_seconds_count\{server="[0-9a-f]{8}",function="getBlock"\} \d+$/m,
    );
    expect(metrics).toContain("\nchain_query_consensus_seqno 12\n");
    expect((await indexer.end("SIGINT")).code).toBe(0);
    const { log } = indexer;
    expect(log).toContainEqual(expect.objectContaining({ level: 30, seqno: 12, msg: "lite server connected" }));
    await indexUntil(other, 12, "--from-lite-servers", config, "--lite-rate", "1000");
    expect(await digestOf(other)).toBe(await digestOf(url));
    await liteServer.close();
    await chain.close();
  });

  test("serves metrics, health and readiness on the port that it prints", async () => {
    const [url, chain] = [await emptyIndex(), await syntheticChain(10)];
    const indexer = startProcess(url, "run", "--from-chain", chain, "--admin-address", "127.0.0.1:0");
    await indexer.until(() => /^http:\/\/127\.0\.0\.1:\d+\n$/.test(indexer.stdout));
    const get = async (path: string) => {
      const response = await fetch(indexer.stdout.trim() + path);
      return { status: response.status, text: await response.text() };
    };
    await expect.poll(() => get("/readyz")).toMatchObject({ status: 200 });
    expect(await get("/healthz")).toEqual({ status: 200, text: '{"status":"ok"}\n' });
    await expect.poll(async () => JSON.parse((await get("/readyz")).text)).toMatchObject({ phase: "following", head: 10 });
    const { text } = await get("/metrics");
    expect(text).toContain("\nchain_query_indexer_head_seqno 10\n");
    expect(text).toContain("\nchain_query_indexer_newest_seqno 10\n");
    expect(text).toContain("\nchain_query_indexer_transactions_total 100\n");
    expect(text).toContain('\nchain_query_indexer_phase{phase="following"} 1\n');
    expect((await get("/")).status).toBe(404);
    const other = await run(url, "run", "--from-chain", chain, "--admin-address", new URL(indexer.stdout.trim()).host);
    expect(other).toMatchObject({ code: 2, stdout: "" });
    expect(other.stderr).toMatch(/chain-query-indexer: --admin-address: cannot listen: [^\n]*EADDRINUSE[^\n]*\n$/);
    expect((await indexer.end("SIGTERM")).code).toBe(0);
  });

  test.each([
    ["an index of another chain", "the database has another chain: "],
    ["no index", "the database has no index: run chain-query-indexer migrate"],
  ])("refuses a database with %s with one line", async (content, problem) => {
    const url = content === "no index" ? await server.createDatabase() : await emptyIndex();
    if (content === "an index of another chain") await indexWhole(url, await madeChain(SMALL));
    const { code, stdout, stderr } = await run(url, "run", "--from-chain", await syntheticChain(3));
    const lines = stderr.trimEnd().split("\n");
    expect(lines.filter((line) => !line.startsWith("{"))).toEqual([expect.stringContaining(`chain-query-indexer: ${problem}`)]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });

  test("waits for the right chain while the source has a fork of the indexed one", async () => {
    const [url, folder] = [await emptyIndex(), temporaryFolder()];
    const [right, fork] = [await grownChain(folder, 1, 1), await grownChain(folder, 3, 4)];
    await indexWhole(url, right);
    const indexer = start(url, "run", "--from-chain", fork);
    const reason = /waiting: the source has another chain than the database: block .* must follow the stored block/;
    await indexer.until(() => indexer.log.some(({ level, msg }) => level === 40 && reason.test(String(msg))));
    expect(await headOf(url)).toBe(SMALL.steps + 1);
    expect((await indexer.end("SIGINT")).code).toBe(0);
  });

  test("refuses a folder without a chain with one line", async () => {
    const { code, stderr } = await run(await emptyIndex(), "run", "--from-chain", temporaryFolder());
    expect(stderr).toMatch(/^chain-query-indexer: [^\n]*no chain[^\n]*\n$/);
    expect(code).toBe(2);
  });
});

describe("verify and status", () => {
  test("print the content of an index, and the first wrong row", async () => {
    const [url, chain] = [await emptyIndex(), await madeChain(SMALL)];
    expect(await run(url, "status")).toMatchObject({ code: 0, stdout: expect.stringContaining("no indexer has begun\n") });
    const indexer = start(url, "run", "--from-chain", chain, "--lease", "6s");
    await indexer.reached(12);
    const { stdout: text } = await until(
      () => run(url, "status"),
      ({ stdout }) => stdout.includes("step 12, the newest; "),
    );
    const lines = text.split("\n");
    expect(lines.slice(0, 2)).toEqual(["schema   version 1", expect.stringMatching(/^head {5}step 12, made /)]);
    expect(lines[2]).toMatch(/^content {2}\d+ transactions, [\d.]+ [kM]B, \d+ bytes for each transaction$/);
    expect(lines[3]).toMatch(/^ {9}\w+ [\d.]+ [kM]B$/);
    expect(lines.slice(-4)).toEqual([
      ...["writers", expect.stringMatching(/^ {9}head: \S+ \d+ \w+, seen \d+ s ago$/)],
      ...[expect.stringMatching(/^ {9}step 12, the newest; \d+ transactions\/s$/), ""],
    ]);
    await indexer.end("SIGINT");
    expect(JSON.parse((await run(url, "status", "--json")).stdout)).toMatchObject({
      ...{ schemaVersion: 1, head: 12, leases: [] },
    });
    expect(await run(url, "verify")).toEqual({
      ...{ code: 0, stderr: "" },
      stdout: expect.stringMatching(/^the index is valid: 12 steps, 36 blocks, \d+ transactions, \d+ accounts\n$/),
    });
    expect(await run(url, "verify", "--from", "9")).toMatchObject({
      stdout: expect.stringMatching(/^the index is valid: 4 steps, 12 blocks, .* accounts, without the steps before 9\n$/),
    });
    expect(await run(url, "verify", "--from", "13")).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining("the step must be at most 12, the newest one, got 13\n") },
    });
    const flip = "set_byte(record, 100, get_byte(record, 100) # 1)";
    const [row] = await inDatabase(url, (sql) =>
      sql.unsafe(
        `UPDATE transactions SET record = ${flip} WHERE (account, lt) IN (SELECT account, lt FROM transactions WHERE mc_seqno = 7 LIMIT 1) RETURNING lt`,
      ),
    );
    const { code, stdout } = await run(url, "verify");
    expect(stdout).toMatch(/^the index is invalid: transaction \d+ of account \S+ cannot be read: [^\n]*checksum\n$/);
    expect(stdout).toContain(`transaction ${row?.["lt"]} of`);
    expect(code).toBe(1);
  });
});

test("a password is in no output, and in no process list", async () => {
  const url = (await server.createDatabase()).replace("postgres@", "postgres:pencil@");
  const chain = await syntheticChain(3);
  const commands = [
    ["migrate"],
    ["run", "--from-chain", chain, "--batch", "0"],
    ["run", "--from-chain", chain, "--postgres", url],
  ];
  for (const args of commands) {
    const { stdout, stderr } = await run(url, ...args);
    expect(stdout + stderr).not.toContain("pencil");
  }
  const waiting = startProcess(url.replace(/:\d+\//, ":1/"), "run", "--from-chain", chain);
  await waiting.until(() => waiting.phases.includes("waiting"));
  expect(readFileSync(`/proc/${waiting.child.pid}/cmdline`, "utf8")).not.toContain("pencil");
  const { stdout, stderr } = await waiting.end("SIGINT");
  expect(stderr).toContain("PostgreSQL at postgres://postgres@127.0.0.1:1/");
  expect(stdout + stderr).not.toContain("pencil");
});
