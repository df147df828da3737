import { access } from "node:fs/promises";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PostgresServer, startPostgres } from "../src/services/index.ts";
import { findPostgres } from "../src/services/postgres-programs.ts";

const machine = await findPostgres("machine").catch((error: Error) => error);

describe.each(["npm", "machine"] as const)("PostgreSQL of %s", (from) => {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    if (from === "npm" || !(machine instanceof Error)) server = await startPostgres({ from });
  });
  afterAll(() => server?.stop());

  test("databases, a restart, and a standby that becomes the primary", async ({ skip }) => {
    if (server === undefined) return skip(String(machine));
    const url = await server.createDatabase();
    expect(await server.createDatabase()).not.toBe(url);
    const sql = postgres(url, { max: 1, onnotice: () => undefined });
    const [{ version } = { version: 0 }] = await sql<
      { version: number }[]
    >`SELECT current_setting('server_version_num')::int / 10000 AS version`;
    expect(version).toBe(server.major);
    await sql`CREATE TABLE numbers (n int PRIMARY KEY)`;
    await sql`INSERT INTO numbers VALUES (1)`;

    await using standby = await server.startStandby();
    const read = postgres(standby.urlOf(url), { max: 1, onnotice: () => undefined });
    const numbers = async () => (await read<{ n: number }[]>`SELECT n FROM numbers ORDER BY n`).map(({ n }) => n);
    await sql`INSERT INTO numbers VALUES (2)`;
    await expect.poll(numbers).toEqual([1, 2]);

    expect(await server.connections(url)).toBe(1);
    await standby.pauseReplay();
    await sql`INSERT INTO numbers VALUES (3)`;
    expect(await numbers()).toEqual([1, 2]);
    await standby.resumeReplay();
    await expect.poll(numbers).toEqual([1, 2, 3]);

    for (const mode of ["fast", "immediate"] as const) {
      const before = server.pid;
      await server.restart(mode);
      expect(server.pid).not.toBe(before);
    }
    // The connection was lost with the restart.
    await sql`INSERT INTO numbers VALUES (4)`.catch(() => sql`INSERT INTO numbers VALUES (4)`);
    await expect.poll(numbers).toEqual([1, 2, 3, 4]);

    await server.kill();
    await standby.promote();
    await read`INSERT INTO numbers VALUES (5)`;
    expect(await numbers()).toEqual([1, 2, 3, 4, 5]);
    await Promise.all([sql.end(), read.end()]);
    await server.start();
  });

  test("settings, and an error that says what the server said", async ({ skip }) => {
    if (server === undefined) return skip(String(machine));
    await using synced = await startPostgres({ from, fsync: true, settings: { max_connections: 7 } });
    const sql = postgres(synced.urlOf("postgres"), { max: 1 });
    const rows = await sql<
      { setting: string }[]
    >`SELECT setting FROM pg_settings WHERE name IN ('fsync', 'max_connections') ORDER BY name`;
    expect(rows.map(({ setting }) => setting)).toEqual(["on", "7"]);
    await sql.end();
    await expect(startPostgres({ from, settings: { nonsense: 1 } })).rejects.toThrow(
      /unrecognized configuration parameter "nonsense"/,
    );
  });

  test("stop() ends the process and can be called again", async ({ skip }) => {
    if (server === undefined) return skip(String(machine));
    const { pid } = server;
    await server.stop();
    await server.stop();
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    await expect(access(`/proc/${pid}`)).rejects.toThrow("ENOENT");
  });
});
