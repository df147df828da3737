/** Shared reads, retries and timeouts of a connection. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Databases } from "../src/index.ts";
import { newIndex, type ReadChain, STEPS, startReadChain, withDatabase } from "./indexed-chains.ts";

let read: ReadChain;
beforeAll(async () => {
  read = await startReadChain();
});
afterAll(() => read?.[Symbol.asyncDispose]());

/** Databases on an index, with the numbers of reads and of failed reads. */
async function counted() {
  const connection = { ...(await newIndex(read.steps)), statementTimeout: 60_000 };
  const counts = { reads: 0, failed: 0 };
  const databases = new Databases(
    { primary: connection, replicas: [] },
    {
      onRead: (_name, _seconds, hasFailed) => {
        counts.reads++;
        counts.failed += Number(hasFailed);
      },
    },
  );
  const [account = expect.unreachable()] = read.accounts;
  const { reader } = databases.primary;
  const expected = await reader.account(account, STEPS);
  counts.reads = 0;
  return { connection, databases, reader, account, expected, counts };
}

test("equal reads at the same time are one statement, and a signal ends only the wait of its caller", async () => {
  const { connection, databases, reader, account, expected, counts } = await counted();
  const [gone, reason] = [new AbortController(), new Error("gone")];
  const reads: Promise<unknown>[] = [];
  await withDatabase(connection, (sql) =>
    sql.begin(async (transaction) => {
      await transaction`LOCK TABLE account_versions IN ACCESS EXCLUSIVE MODE`;
      const left = reader.account(account, STEPS, gone.signal);
      reads.push(...Array.from({ length: 5 }, () => reader.account(account, STEPS)));
      gone.abort(reason);
      await expect(left).rejects.toBe(reason);
      expect(databases.status[0]?.inFlight).toBe(1);
    }),
  );
  expect(await Promise.all(reads)).toEqual(Array(5).fill(expected));
  expect(counts).toEqual({ reads: 1, failed: 0 });
  await expect(reader.account(account, STEPS, gone.signal)).rejects.toBe(reason);
  expect(counts.reads).toBe(1);
  await databases.close();
});

test("a read whose session is lost is sent again", async () => {
  const { connection, databases, reader, account, expected, counts } = await counted();
  let reading: Promise<unknown> = Promise.resolve();
  await withDatabase(connection, (sql) =>
    sql.begin(async (transaction) => {
      await transaction`LOCK TABLE account_versions IN ACCESS EXCLUSIVE MODE`;
      reading = reader.account(account, STEPS);
      reading.catch(() => {});
      // Other tests use the same server.
      const waiting = () => transaction`SELECT pid FROM pg_locks JOIN pg_database ON oid = database
        WHERE NOT granted AND datname = current_database()`;
      await expect.poll(async () => (await waiting()).length).toBe(1);
      const [session] = await waiting();
      await transaction`SELECT pg_terminate_backend(${session?.["pid"]})`;
    }),
  );
  expect(await reading).toEqual(expected);
  expect(counts.failed).toBe(0);
  await databases.close();
});

test("a server that accepts connections and ends them cannot be reached: no read waits for an answer", async () => {
  const server = createServer((socket) => socket.on("error", () => {}).end());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const url = `postgres://postgres@127.0.0.1:${port}/absent`;
  // With this limit, a read that waits for an answer waits for longer than the test may take.
  const databases = new Databases({ primary: { url, statementTimeout: 600_000 }, replicas: [] });
  for (let read = 0; read < 5; read++) {
    await expect(databases.primary.reader.chain()).rejects.toMatchObject({ kind: "unreachable" });
  }
  await databases.close();
  server.close();
});

test("a database that becomes unavailable is reported once, and its recovery too", async () => {
  const connection = await newIndex(read.steps);
  const url = new URL(connection.url);
  const target = Number(url.port);
  const sockets = new Set<Socket>();
  let isOpen = true;
  const proxy = createServer((client) => {
    if (!isOpen) client.destroy();
    if (!isOpen) return;
    const database = connect(target, "127.0.0.1");
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from.on("error", () => {}).on("close", () => to.destroy()));
      from.pipe(to);
    }
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const reported: (string | undefined)[] = [];
  const onAnswering = (_: string, reason: string | undefined): void => void reported.push(reason);
  const databases = new Databases({ primary: { ...connection, url: url.href }, replicas: [] }, { onAnswering });
  await databases.start(async () => {});
  const checks = async (): Promise<void> => {
    for (let check = 0; check < 3; check++) await databases.primary.connection.check(STEPS);
  };
  isOpen = false;
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => reported.length, { timeout: 60_000 }).toBe(1);
  await checks();
  isOpen = true;
  await expect.poll(() => reported.length, { timeout: 60_000 }).toBe(2);
  await checks();
  expect(reported).toEqual([expect.stringContaining("PostgreSQL at "), undefined]);
  await databases.close();
  proxy.close();
});
