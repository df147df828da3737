import { FROZEN } from "@chain-query/testing/chains";
import { beforeAll, expect, test } from "vitest";
import { connect } from "../src/database/client.ts";
import { openPostgresWriter, type PostgresConnection, verifyIndex } from "../src/index.ts";
import { encodeSteps, TABLES } from "../src/writing/encode-steps.ts";
import { insertRows } from "../src/writing/write-batch.ts";
import { startCuttingProxy } from "./cutting-proxy.ts";
import { copiedIndex, emptyIndex, firstSteps, type ProducedSteps, producedSteps, withDatabase } from "./indexed-chains.ts";

const STEPS = 10;
let chain: ProducedSteps;

beforeAll(async () => {
  chain = firstSteps(await producedSteps(), STEPS);
});

/** An index with five steps. */
const halfWritten = (): Promise<PostgresConnection> => copiedIndex(chain, 5);

async function expectWhole(connection: PostgresConnection): Promise<void> {
  expect(await verifyIndex(connection)).toMatchObject({ steps: STEPS });
}

test("a second writer fails with the name of the first one, and takes over after the lease expires", async () => {
  const connection = await halfWritten();
  const first = await openPostgresWriter(connection, { holder: "indexer one" });
  await expect(openPostgresWriter(connection, { holder: "indexer two" })).rejects.toMatchObject({
    kind: "busy",
    message: "indexer one writes this index",
  });
  await withDatabase(connection, (sql) => sql`UPDATE indexer_lease SET heartbeat = now() - INTERVAL '21 seconds'`);
  const second = await openPostgresWriter(connection, { holder: "indexer two" });
  expect(second.head).toBe(5);
  // As after a pause of the first process.
  await expect(first.write(chain.steps.slice(5, 7))).rejects.toMatchObject({ kind: "lost" });
  await second.write(chain.steps.slice(5));
  await expect(first.write(chain.steps.slice(5))).rejects.toMatchObject({ kind: "lost" });
  await first.close();
  await second.close();
  await expectWhole(connection);
});

test("a writer without its lease does not release the lease of its successor", async () => {
  const connection = await emptyIndex();
  const first = await openPostgresWriter(connection, { holder: "same name" });
  const second = await openPostgresWriter(connection, { holder: "same name" });
  await first.close();
  await expect(openPostgresWriter(connection)).rejects.toMatchObject({ kind: "busy" });
  await second.close();
  await (await openPostgresWriter(connection)).close();
});

test("a writer renews its lease", async () => {
  const connection = await emptyIndex();
  const writer = await openPostgresWriter(connection, { leaseSeconds: 2 });
  await withDatabase(connection, async (sql) => {
    await sql`UPDATE indexer_lease SET heartbeat = now() - INTERVAL '1 hour'`;
    await expect.poll(() => sql`SELECT FROM indexer_lease WHERE heartbeat > now() - INTERVAL '1 minute'`).toHaveLength(1);
  });
  await expect(openPostgresWriter(connection)).rejects.toMatchObject({ kind: "busy" });
  await writer.close();
});

test("a process that adds old steps and is stopped in its transaction does not block the writer of the newest steps", async () => {
  // Its steps have new cells.
  const chain = firstSteps(await producedSteps(FROZEN), STEPS);
  const connection = await copiedIndex(chain, 5);
  const writer = await openPostgresWriter(connection, { leaseSeconds: 1 });
  const { cells } = encodeSteps(chain.steps.slice(5), new Set());
  const stopped = connect({ ...connection, applicationName: "chain-query history", connections: 1 }, "writer");
  await stopped.unsafe("BEGIN");
  expect(await insertRows(stopped, TABLES.cells, cells)).toBeGreaterThan(0);
  await writer.write(chain.steps.slice(5));
  await writer.close();
  await stopped.end();
  await expectWhole(connection);
});

test("a connection that is lost before COMMIT loses no row", async () => {
  const connection = await halfWritten();
  const writer = await openPostgresWriter(connection);
  await withDatabase(connection, (sql) =>
    sql.unsafe(`CREATE SEQUENCE moves; CREATE FUNCTION end_first() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('moves') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF; RETURN NEW; END $$;
      CREATE TRIGGER end_first BEFORE UPDATE ON head FOR EACH ROW EXECUTE FUNCTION end_first()`),
  );
  await writer.write(chain.steps.slice(5));
  await writer.close();
  await expectWhole(connection);
});

test.each(["after COMMIT", "before a late COMMIT"] as const)(
  "a connection that is lost %s writes no row twice",
  async (cut) => {
    const connection = await halfWritten();
    const { port } = new URL(connection.url);
    await using proxy = await startCuttingProxy(Number(port));
    const writer = await openPostgresWriter({ url: connection.url.replace(`:${port}`, `:${proxy.port}`) });
    proxy.cutNext(cut);
    await writer.write(chain.steps.slice(5, 8));
    expect([proxy.cuts, writer.head]).toEqual([1, 8]);
    await writer.write(chain.steps.slice(8));
    await writer.close();
    await expectWhole(connection);
  },
);

test("writing continues after a full disk and a read-only database", async () => {
  const connection = await halfWritten();
  const writer = await openPostgresWriter(connection);
  await withDatabase(connection, async (sql) => {
    // The error that PostgreSQL raises when it cannot extend a file.
    await sql.unsafe(`CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER fill BEFORE INSERT ON account_versions FOR EACH ROW EXECUTE FUNCTION fill()`);
    await expect(writer.write(chain.steps.slice(5))).rejects.toMatchObject({
      kind: "full",
      message: expect.stringContaining("No space left on device"),
    });
    await sql.unsafe("DROP TRIGGER fill ON account_versions");
    await writer.write(chain.steps.slice(5, 7));

    await setReadOnly(connection, "on");
    await expect(writer.write(chain.steps.slice(7))).rejects.toMatchObject({ kind: "full" });
    await setReadOnly(connection, "off");
    await writer.write(chain.steps.slice(7));
  });
  await writer.close();
  await expectWhole(connection);
});

test("writing continues after a statement timeout", async () => {
  const connection = await halfWritten();
  const writer = await openPostgresWriter({ ...connection, statementTimeout: 1_000 });
  await withDatabase(connection, (sql) =>
    sql.begin(async (tx) => {
      await tx`LOCK TABLE blocks IN ACCESS EXCLUSIVE MODE`;
      await expect(writer.write(chain.steps.slice(5))).rejects.toMatchObject({ kind: "slow" });
    }),
  );
  // On a busy machine, a statement may take as long without a lock.
  while (writer.head < STEPS) {
    await writer.write(chain.steps.slice(writer.head, writer.head + 1)).catch((error: unknown) => {
      expect(error).toMatchObject({ kind: "slow" });
    });
  }
  await writer.close();
  await expectWhole(connection);
});

test("a writer fails if the head went back, as after a failover", async () => {
  const connection = await halfWritten();
  const writer = await openPostgresWriter(connection);
  await withDatabase(connection, async (sql) => {
    const [before] = await sql`SELECT seqno, record FROM head`;
    await writer.write(chain.steps.slice(5, 8));
    await sql`UPDATE head SET seqno = ${before?.["seqno"]}, record = ${before?.["record"]}`;
  });
  await expect(writer.write(chain.steps.slice(8))).rejects.toMatchObject({
    kind: "lost",
    message: expect.stringContaining("the newest step in the database is 5, expected 8"),
  });
  await writer.close();
  const next = await openPostgresWriter(connection);
  await next.write(chain.steps.slice(next.head));
  await next.close();
  await expectWhole(connection);
});

/** Changes the default of new connections, and ends the open ones. */
async function setReadOnly(connection: PostgresConnection, value: "on" | "off"): Promise<void> {
  const database = new URL(connection.url).pathname.slice(1);
  await withDatabase({ url: connection.url.replace(/[^/]+$/, "postgres") }, async (sql) => {
    await sql.unsafe(`ALTER DATABASE ${database} SET default_transaction_read_only = ${value}`);
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${database}`;
  });
}
