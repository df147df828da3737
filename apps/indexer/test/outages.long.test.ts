/** Indexers during failures of servers and disks. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { madeChain } from "@chain-query/local-chain/testing";
import { migrate, verifyIndex } from "@chain-query/postgres-store";
import { SMALL } from "@chain-query/testing/chains";
import { inDatabase, type PostgresServer, startPostgres } from "@chain-query/testing/services";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { heldIndex, hold } from "../fuzz/holds.ts";
import type { Outcome, RunningIndexer } from "../fuzz/indexer-process.ts";
import { digestOf, headOf, indexWhole } from "../fuzz/indexes.ts";
import { run, start } from "./processes.ts";

const STEPS = SMALL.steps;
let chain: string;
let server: PostgresServer;
let whole: string;

beforeAll(async () => {
  [server, chain] = await Promise.all([startPostgres(), madeChain(SMALL)]);
  await inDatabase(server.urlOf("postgres"), async (sql) => {
    await sql`CREATE ROLE indexer SUPERUSER LOGIN PASSWORD 'pencil'`;
    const [row] = await sql<{ hba_file: string }[]>`SHOW hba_file`;
    const rules = ["all indexer all scram-sha-256", "all all all trust", "replication all all trust"];
    await sql.unsafe(`COPY (VALUES ${rules.map((rule) => `('host ${rule}')`).join(", ")}) TO '${row?.hba_file}'`);
    await sql`SELECT pg_reload_conf()`;
  });
  whole = await emptyIndex();
  await indexWhole(whole, chain);
});
afterAll(() => server.stop());

const emptyIndex = (): Promise<string> => server.createDatabase(heldIndex);

/** Starts an indexer that commits each step separately. */
function startIndexer(url: string): RunningIndexer {
  return start(url, "run", "--from-chain", chain, "--batch", "1", "--lease", "2s");
}

async function expectWhole(indexer: RunningIndexer, url: string, other = whole): Promise<void> {
  await indexer.reached(STEPS, url);
  await verifyIndex({ url });
  expect(await digestOf(url)).toBe(await digestOf(other));
  expect((await indexer.end("SIGINT")).code).toBe(0);
}

/** The URL with a user who needs a password. */
const withPassword = (url: string, password: string): string => url.replace("postgres@", `indexer:${password}@`);

/** The exit code, and the output without log lines. */
function endOf({ code, stdout, stderr }: Outcome): unknown {
  return { code, stdout, lines: stderr.split("\n").filter((line) => line !== "" && !line.startsWith("{")) };
}

test("every command ends with one line if the password is wrong", async () => {
  const url = await server.createDatabase();
  const source = ["--from-chain", chain];
  const commands = [["migrate"], ["run", ...source], ["backfill", ...source, "--back-to", "1"], ["verify"], ["status"]];
  const ends = await Promise.all(commands.map((args) => run(withPassword(url, "crayon"), ...args)));
  const place = `PostgreSQL at ${url.replace("postgres@", "indexer@")}`;
  const line = `chain-query-indexer: ${place}: password authentication failed for user "indexer" (28P01)`;
  for (const end of ends) expect(endOf(end)).toEqual({ code: 2, stdout: "", lines: [line] });
});

test("run ends with one line if there is no such database or user", async () => {
  const source = ["--from-chain", chain];
  const absent = server.urlOf("absent");
  const ends = await Promise.all([absent, absent.replace("postgres@", "stranger@")].map((url) => run(url, "run", ...source)));
  expect(ends.map(endOf)).toEqual([
    { code: 2, stdout: "", lines: [expect.stringMatching(/absent: database "absent" does not exist \(3D000\)$/)] },
    { code: 2, stdout: "", lines: [expect.stringMatching(/absent: role "stranger" does not exist \(28000\)$/)] },
  ]);
});

describe("an indexer waits, reports it, and continues", () => {
  test.each(["fast", "immediate"] as const)("while the server is restarted (%s)", async (mode) => {
    const url = await emptyIndex();
    await using held = await hold(url, "head", 5);
    const indexer = startIndexer(url);
    await indexer.until(held.isReached);
    await server.restart(mode);
    await held.release();
    await expectWhole(indexer, url);
  });

  test("while the database is read-only", async () => {
    const url = await emptyIndex();
    const name = new URL(url).pathname.slice(1);
    await using held = await hold(url, "head", 5);
    const indexer = startIndexer(url);
    await indexer.until(held.isReached);
    await inDatabase(server.urlOf("postgres"), async (sql) => {
      await sql.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name}`;
      await held.release();
      await indexer.until(() => /waiting: [^"]*read-only transaction/.test(indexer.stderr));
      await sql.unsafe(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    });
    await expectWhole(indexer, url);
  });

  test("while the password has changed", async () => {
    const url = await emptyIndex();
    await using held = await hold(url, "head", 3);
    const indexer = startIndexer(withPassword(url, "pencil"));
    await indexer.until(held.isReached);
    await inDatabase(url, async (sql) => {
      await sql`ALTER ROLE indexer PASSWORD 'crayon'`;
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'indexer'`;
      await held.release();
      await indexer.until(() => /waiting: .*password authentication failed/.test(indexer.stderr));
      await sql`ALTER ROLE indexer PASSWORD 'pencil'`;
    });
    await expectWhole(indexer, url);
  });

  test("after a failover to a server that lacks the last steps", async () => {
    await using standby = await server.startStandby();
    await using proxy = await startProxy(server.port);
    const url = await emptyIndex();
    await using early = await hold(url, "head", 4);
    await using late = await hold(url, "head", 8);
    const indexer = startIndexer(url.replace(`:${server.port}/`, `:${proxy.port}/`));
    await indexer.until(early.isReached);
    await indexer.reached(3, standby.urlOf(url));
    await standby.kill();
    await early.release();
    await indexer.until(late.isReached);
    await server.kill();
    await late.release();
    proxy.setTarget(standby.port);
    await standby.start();
    expect(await headOf(standby.urlOf(url))).toBe(3);
    await standby.promote();
    await expectWhole(indexer, standby.urlOf(url), standby.urlOf(whole));
    await server.start();
  });

  test("while the disk is full", async ({ skip }) => {
    const disk = mkdtempSync(join(tmpdir(), "chain-query-disk-"));
    // PostgreSQL does not run as root.
    const { uid, gid } = statSync(`/proc/${server.pid}`);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=24m,uid=${uid},gid=${gid}`, "tmpfs", disk], { stdio: "ignore" });
    } catch {
      rmSync(disk, { recursive: true });
      return skip("this user cannot mount a small disk");
    }
    // The last test, because the disk can only be unmounted after the server has stopped.
    onTestFinished(async () => {
      await server.stop();
      execFileSync("umount", [disk]);
      rmSync(disk, { recursive: true });
    });
    const url = await server.createDatabase();
    await inDatabase(server.urlOf("postgres"), async (sql) => {
      await sql.unsafe(`CREATE TABLESPACE small LOCATION '${disk}'`);
      await sql.unsafe(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET TABLESPACE small`);
    });
    await migrate({ url });
    const ballast = join(disk, "ballast");
    // Fills the disk.
    expect(() => writeFileSync(ballast, Buffer.alloc(64 * 1024 * 1024))).toThrow("ENOSPC");
    const indexer = startIndexer(url);
    await indexer.until(() => /waiting: .*No space left on device/.test(indexer.stderr));
    rmSync(ballast);
    await expectWhole(indexer, url);
  });
});

/** A TCP proxy whose target can change, like the address of a cluster. */
async function startProxy(port: number) {
  let target = port;
  const sockets = new Set<Socket>();
  const proxy = createServer((from) => {
    const to = connect(target, "127.0.0.1");
    for (const socket of [from, to]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        from.destroy();
        to.destroy();
      });
    }
    from.pipe(to);
    to.pipe(from);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  };
  return {
    port: (proxy.address() as AddressInfo).port,
    setTarget: (other: number) => {
      target = other;
      for (const socket of sockets) socket.destroy();
    },
    [Symbol.asyncDispose]: close,
  };
}
