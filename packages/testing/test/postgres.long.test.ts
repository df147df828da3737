import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { access } from "node:fs/promises";
import { dirname } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inDatabase, type PostgresServer, sharedPostgres, startPostgres } from "../src/services/index.ts";

/** All other tests use the machine's, if it has one. */
const from = "npm";

describe("PostgreSQL of npm", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ from, fsync: true, settings: { max_connections: 12 } });
  });
  afterAll(() => server?.stop());

  test("settings, databases, and a standby", async () => {
    const url = await server.createDatabase();
    expect(await server.createDatabase()).not.toBe(url);
    const sql = postgres(url, { max: 1, onnotice: () => undefined });
    const [{ version } = { version: 0 }] = await sql<
      { version: number }[]
    >`SELECT current_setting('server_version_num')::int / 10000 AS version`;
    expect(version).toBe(server.major);
    const settings = await sql`SELECT setting FROM pg_settings WHERE name IN ('fsync', 'max_connections') ORDER BY name`;
    expect(settings.map(({ setting }) => setting)).toEqual(["on", "12"]);
    await sql`CREATE TABLE numbers (n int PRIMARY KEY)`;
    await sql`INSERT INTO numbers VALUES (1)`;

    await using standby = await server.startStandby();
    const read = postgres(standby.urlOf(url), { max: 1, onnotice: () => undefined });
    const numbers = async () => (await read<{ n: number }[]>`SELECT n FROM numbers ORDER BY n`).map(({ n }) => n);
    await sql`INSERT INTO numbers VALUES (2)`;
    await expect.poll(numbers).toEqual([1, 2]);

    await Promise.all([sql.end(), read.end()]);
  });

  test("an error has the message of the server", async () => {
    await expect(startPostgres({ from, settings: { nonsense: 1 } })).rejects.toThrow(
      /unrecognized configuration parameter "nonsense"/,
    );
  });

  test("stop() ends the process and can be called again", async () => {
    const { pid } = server;
    await server.stop();
    await server.stop();
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    await expect(access(`/proc/${pid}`)).rejects.toThrow("ENOENT");
  });
});

test("a template is filled once, again after a failure, and its copies are independent", async () => {
  const server = await sharedPostgres();
  let fills = 0;
  const template = {
    name: "template_of_numbers",
    async fill(url: string) {
      fills += 1;
      await inDatabase(url, (sql) => sql`CREATE TABLE numbers AS SELECT 1 AS n`);
      if (fills === 1) throw new Error("the first one fails");
    },
  };
  await expect(server.createDatabase(template)).rejects.toThrow("the first one fails");
  const urls = await Promise.all([server.createDatabase(template), server.createDatabase(template)]);
  expect(fills).toBe(2);
  const counts = urls.map(async (url, i) =>
    inDatabase(url, async (sql) => {
      if (i === 0) await sql`INSERT INTO numbers VALUES (2)`;
      return (await sql`SELECT n FROM numbers`).length;
    }),
  );
  expect(await Promise.all(counts)).toEqual([2, 1]);
});

test("a server of killed tests ends, and its folder is removed", async () => {
  const script = `
    const { startPostgres } = await import(${JSON.stringify(new URL("../src/services/index.ts", import.meta.url).href)});
    const server = await startPostgres();
    console.log(JSON.stringify({ pid: server.pid, url: server.urlOf("postgres") }));
    setInterval(() => {}, 1000);
  `;
  const tests = spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(tests.stdout, "data");
  const { pid, url }: { pid: number; url: string } = JSON.parse(String(line));
  const [row] = await inDatabase(url, (sql) => sql<{ data_directory: string }[]>`SHOW data_directory`);
  const folder = dirname(row?.data_directory ?? expect.unreachable());
  const left = () => ({ isRunning: isRunning(pid), hasFolder: existsSync(folder) });
  expect(left()).toEqual({ isRunning: true, hasFolder: true });
  tests.kill("SIGKILL");
  await expect.poll(left).toEqual({ isRunning: false, hasFolder: false });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
