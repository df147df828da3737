/** The database roles of the guide "Scale out": each has the rights for its work, and no others. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { migrate, openApiKeys, openPostgresReader, openPostgresWriter } from "@chain-query/postgres-store";
import { codeBlocks } from "@chain-query/testing/markdown";
import { type PostgresServer, startPostgres } from "@chain-query/testing/services";
import postgres from "postgres";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { root } from "../src/workspace/packages.ts";

const guide = readFileSync(join(root, "apps/docs/guides/scale-out.md"), "utf8");
const statements = codeBlocks(guide, "sql").map(({ text }) => text);
/** As the administrator; then as the indexer, after `migrate`. */
const makeRoles = statements.find((code) => code.startsWith("CREATE ROLE")) ?? expect.unreachable();
const grantRights = statements.find((code) => code.startsWith("GRANT")) ?? expect.unreachable();
const refused = { code: "42501" };
const key = { id: "4453aa152052", secretHash: new Uint8Array(32), owner: "alice", rate: 50 };
let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
  await runSql(server.urlOf("postgres"), makeRoles);
  await migrate({ url: urlAs("chain_indexer") });
  await runSql(urlAs("chain_indexer"), grantRights);
});
afterAll(() => server?.stop());

function urlAs(user: string): string {
  return server.urlOf("chain").replace("postgres@", `${user}@`);
}

/** One statement after another, as psql does. */
async function runSql(url: string, text: string): Promise<void> {
  const sql = connect(url);
  const uncommented = text.replace(/--.*$/gm, "").split(";");
  for (const statement of uncommented) if (statement.trim() !== "") await sql.unsafe(statement);
  await sql.end();
}

function connect(url: string): postgres.Sql {
  return postgres(url, { max: 1, onnotice: () => undefined });
}

function connected(user: string): postgres.Sql {
  const sql = connect(urlAs(user));
  onTestFinished(() => sql.end());
  return sql;
}

test("chain_indexer writes", async () => {
  const writer = await openPostgresWriter({ url: urlAs("chain_indexer") });
  expect(writer.head).toBe(0);
  await writer.close();
});

test("chain_reader reads every table, also tables of later versions, and writes to no table", async () => {
  await connected("chain_indexer")`CREATE TABLE later (id int2 PRIMARY KEY)`;
  const sql = connected("chain_reader");
  const tables = await sql<{ name: string }[]>`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`;
  expect(tables.length).toBeGreaterThan(9);
  for (const { name } of tables) await sql`SELECT * FROM ${sql(name)} LIMIT 1`;
  await expect(sql`INSERT INTO api_keys SELECT * FROM api_keys`).rejects.toMatchObject(refused);
  await expect(sql`UPDATE head SET seqno = 0`).rejects.toMatchObject(refused);
  await expect(sql`CREATE TABLE mine (id int2)`).rejects.toMatchObject(refused);
  const reader = openPostgresReader({ url: urlAs("chain_reader") });
  onTestFinished(() => reader.close());
  await expect(reader.chain()).rejects.toThrow("the index is empty");
});

test("chain_keys adds, lists and revokes keys, and sees no history", async () => {
  const keys = openApiKeys({ url: urlAs("chain_keys") });
  onTestFinished(() => keys.close());
  const reader = connected("chain_reader");
  const isValid = async () => (await reader`SELECT 1 FROM api_keys WHERE id = ${key.id} AND revoked IS NULL`).count === 1;
  await keys.add(key);
  expect((await keys.list()).map(({ owner }) => owner)).toEqual(["alice"]);
  expect(await isValid()).toBe(true);
  expect(await keys.revoke(key.id)).toBe("revoked");
  expect(await isValid()).toBe(false);
  const sql = connected("chain_keys");
  await expect(sql`SELECT 1 FROM transactions`).rejects.toMatchObject(refused);
  await expect(sql`DELETE FROM api_keys`).rejects.toMatchObject(refused);
});

test("chain_reader cannot add a key, and learns so in one line", () => {
  const program = join(root, "apps/server/bin/chain-query-server.js");
  const env = { CHAIN_QUERY_POSTGRES: urlAs("chain_reader") };
  const { status, stderr } = spawnSync(process.execPath, [program, "keys", "add", "bob"], { encoding: "utf8", env });
  expect(stderr).toMatch(/^chain-query-server: PostgreSQL at .*: permission denied for table api_keys.*\n$/);
  expect(status).toBe(2);
});
