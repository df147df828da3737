import { setImmediate as eventLoopTick } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Worker } from "node:worker_threads";
import { afterAll, expect, test } from "vitest";
import { connect } from "../src/database/client.ts";
import { isLostConnection } from "../src/database/store-error.ts";
import { openTransactions } from "../src/database/transactions.ts";
import { copyRows, encodeCopy } from "../src/writing/write-batch.ts";
import { startCuttingProxy } from "./cutting-proxy.ts";
import { emptyDatabase } from "./indexed-chains.ts";

const table = { name: "numbers", columns: [["n", "int4"]], keyLength: 1 } as const;
const row = encodeCopy(table, [[1]]);
const ended = new Int32Array(new SharedArrayBuffer(4));
const script = `
  const { parentPort, workerData } = require("node:worker_threads");
  parentPort.on("message", async (url) => {
    const { default: postgres } = await import(${JSON.stringify(import.meta.resolve("postgres"))});
    const sql = postgres(url, { max: 1 });
    await sql\`SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = 'stopped'\`;
    await sql.end();
    Atomics.store(workerData, 0, 1);
    Atomics.notify(workerData, 0);
  });`;
const worker = new Worker(script, { eval: true, workerData: ended });
afterAll(() => worker.terminate());

/** Ends the connections of the application while this thread is blocked, as in a stopped process. */
function endConnections(url: string): void {
  Atomics.store(ended, 0, 0);
  worker.postMessage(url);
  Atomics.wait(ended, 0, 0);
}

test.each(["before", "during", "after"])(
  "a connection that ends %s a COPY fails the transaction, and the next one works",
  async (when) => {
    const { url } = await emptyDatabase();
    const sql = connect({ url }, "writer");
    await sql`CREATE TABLE numbers (n int4)`;
    const transactions = openTransactions({ url, applicationName: "stopped" }, "writer");
    await transactions.run((queryable) => copyRows(queryable, table, row));
    const cut = transactions.run(async (queryable) => {
      if (when === "before") endConnections(url);
      const copying = copyRows(queryable, table, row);
      // After the statement is sent, before the response is read.
      if (when === "during") setImmediate(() => setImmediate(() => endConnections(url)));
      await copying;
      if (when === "after") endConnections(url);
    });
    await expect(cut).rejects.toSatisfy(isLostConnection);
    await transactions.run((queryable) => copyRows(queryable, table, row));
    expect(await sql`SELECT n FROM numbers`).toHaveLength(2);
    await transactions.end();
    await sql.end();
  },
);

test("a new connection that is lost at BEGIN runs no statement outside of a transaction", async () => {
  const { url } = await emptyDatabase();
  await using proxy = await startCuttingProxy(Number(new URL(url).port));
  proxy.cutNext("before BEGIN");
  const throughProxy = Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(proxy.port) }).href;
  const sql = connect({ url }, "writer");
  await sql`CREATE TABLE numbers (n int4)`;
  const transactions = openTransactions({ url: throughProxy }, "writer");
  const insert = () => transactions.run((queryable) => queryable.unsafe("INSERT INTO numbers VALUES (1)"));
  await expect(insert()).rejects.toSatisfy(isLostConnection);
  expect(await sql`SELECT n FROM numbers`).toHaveLength(0);
  await insert();
  expect(await sql`SELECT n FROM numbers`).toHaveLength(1);
  await transactions.end();
  await sql.end();
});

test("a connection that does not respond is lost, and the next transaction opens another one", async () => {
  const transactions = openTransactions(await emptyDatabase(), "writer", 5_000);
  await expect(transactions.run((sql) => sql.unsafe("SELECT pg_sleep(60)"))).rejects.toSatisfy(isLostConnection);
  expect(await transactions.run((sql) => sql.unsafe("SELECT 1 AS one"))).toHaveLength(1);
  await transactions.end();
});

test("a finished transaction leaves no object in memory", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: unknown = runInNewContext("gc");
  if (typeof collectGarbage !== "function") throw new Error("Node has no gc()");
  const transactions = openTransactions(await emptyDatabase(), "writer");
  const run = async () => new WeakRef(await transactions.run(async () => ({})));
  const results: WeakRef<object>[] = [];
  for (let i = 0; i < 20; i++) results.push(await run());
  await eventLoopTick();
  collectGarbage();
  // The next transaction waits for the last one.
  expect(results.slice(0, -1).filter((result) => result.deref() !== undefined)).toEqual([]);
  await transactions.end();
});
