/** The start of instances while the primary is unavailable. */

import { setImmediate as nextTick } from "node:timers/promises";
import { Databases, openPostgresReader, ServedHead } from "@chain-query/postgres-store";
import { SMALL } from "@chain-query/testing/chains";
import { type PostgresServer, startPostgres } from "@chain-query/testing/services";
import { until } from "@chain-query/testing/until";
import { type Logger, pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPostgresApiKeys } from "../../src/limits/postgres-api-keys.ts";
import { readIndexedChain } from "../../src/processes/open-postgres.ts";
import { ask, readinessOf } from "../fixtures/ask.ts";
import { startWith } from "../fixtures/command.ts";
import { startWire } from "../fixtures/wire.ts";
import { growingIndex, headOf, indexedDatabase } from "./indexed-chain.ts";

/** The last step of the index at first. */
const seqno = 3;
let primary: PostgresServer;
let url: string;

beforeAll(async () => {
  primary = await startPostgres();
  url = await indexedDatabase(primary, SMALL, { last: seqno });
});
afterAll(() => primary?.stop());

test("replicas are enough to start, and the primary is read again when it has recovered", async () => {
  const editor = openPostgresApiKeys(url);
  const { text: key } = await editor.add("alice", { rate: 0 });
  await editor.close();
  await using standby = await primary.startStandby();
  const replica = openPostgresReader({ url: standby.urlOf(url) });
  await until(async () => (await replica.head()).block.id.seqno === seqno);
  await replica.close();
  await primary.kill();
  const variables = { CHAIN_QUERY_POSTGRES: `${url},${standby.urlOf(url)}` };
  await using command = startWith(variables, "--port", "0", "--keyless-rate", "0", "--max-head-age", "0");
  const base = await command.url;
  for (let round = 0; round < 8; round++) expect(await headOf(base)).toBe(seqno);
  for (let round = 0; round < 3; round++)
    expect((await ask(base, "getMasterchainInfo", {}, { "x-api-key": key })).status).toBe(200);
  expect((await ask(base, "getMasterchainInfo", {}, { "x-api-key": `${key.slice(0, -2)}AA` })).status).toBe(401);
  expect((await ask(base, "lookupBlock", { workchain: -1, shard: "-9223372036854775808", seqno: 1 })).status).toBe(200);
  const warning = "the primary database cannot be read; replicas answer with the newest block that they have";
  expect(await readinessOf(base)).toEqual([200, warning]);
  expect(command.log()).toContainEqual(
    expect.objectContaining({ database: "primary", msg: "database cannot be reached at the start" }),
  );
  expect(command.log().map(({ msg }) => msg)).not.toContain("the service is not ready");

  await primary.start();
  await using index = await growingIndex(url, SMALL, seqno);
  await index.grow();
  await until(async () => (await headOf(base)) === seqno + 1);
  await expect.poll(() => readinessOf(base)).toEqual([200, undefined]);
});

/** A log, and the messages that were written to it. */
function logOfMessages(): { log: Logger; messages: string[] } {
  const messages: string[] = [];
  return { log: pino({}, { write: (line) => void messages.push(JSON.parse(line).msg) }), messages };
}

test("without any database, the start is one line that names each of them", async () => {
  const [first = "", ...replicas] = ["postgres://me:hunter2@127.0.0.1:1/chain", "postgres://me@127.0.0.1:2/chain"];
  const options = { primary: first, replicas, startTimeout: 300 };
  const { log, messages } = logOfMessages();
  const failure = await readIndexedChain(options, log).catch((error: unknown) => error);
  const place = (port: number) => `PostgreSQL at postgres://me@127\\.0\\.0\\.1:${port}/chain: [^\n]*`;
  expect(failure).toMatchObject({
    name: "StartError",
    // Exit code 75: a supervisor starts the service again.
    isRetryable: true,
    message: expect.stringMatching(new RegExp(`^${place(1)}; ${place(2)}$`)),
  });
  expect(String(failure)).not.toContain("hunter2");
  expect(messages).toEqual(["no database can be reached yet, trying again"]);
});

test("the start waits for a database that does not answer at first", async () => {
  const { log, messages } = logOfMessages();
  // It accepts connections, and never replies.
  process.kill(primary.pid, "SIGSTOP");
  try {
    const reading = readIndexedChain({ primary: url, replicas: [] }, log);
    await Promise.race([reading, until(() => messages.length > 0 || undefined)]);
    process.kill(primary.pid, "SIGCONT");
    expect((await reading).masterchain.seqno).toBe(0);
    expect(messages).toEqual(["no database can be reached yet, trying again"]);
  } finally {
    process.kill(primary.pid, "SIGCONT");
  }
});

test("Ctrl-C during the start ends the service without an error", async () => {
  // It accepts connections, and never replies.
  process.kill(primary.pid, "SIGSTOP");
  try {
    await using command = startWith({ CHAIN_QUERY_POSTGRES: url }, "--port", "0");
    await until(() => command.log().some(({ msg }) => msg === "no database can be reached yet, trying again"));
    command.child.kill("SIGINT");
    expect(await command.exit).toMatchObject({ code: 0, stdout: "" });
  } finally {
    process.kill(primary.pid, "SIGCONT");
  }
});

test("the head of a replica is its current head, not its last known one", async () => {
  const databases = new Databases({ primary: { url }, replicas: [{ url }] });
  const served = new ServedHead(databases);
  for (const { connection } of databases.all) await connection.check(-1);
  await databases.primary.reader.close();
  expect((await served.read()).block.id.seqno).toBe(seqno + 1);
  await databases.replicas[0]?.reader.close();
  await expect(served.read()).rejects.toMatchObject({ kind: "unreachable" });
});

test("reads of a database that does not answer fail together, later ones at once, until it answers again", async () => {
  const wire = await startWire(Number(new URL(url).port));
  const databases = new Databases({ primary: { url: wire.to(url), statementTimeout: 1_000 }, replicas: [] });
  const served = new ServedHead(databases);
  await served.read();
  wire.freeze();
  const outcome = () =>
    served.read().then(
      () => "answered",
      ({ kind }) => kind,
    );
  expect(await Promise.all([outcome(), outcome()])).toEqual(["slow", "slow"]);
  const events: string[] = [];
  const ticks = (async () => {
    for (let tick = 0; tick < 20; tick++) await nextTick();
    events.push("ticks");
  })();
  await Promise.all([outcome().then((found) => events.push(found)), ticks]);
  expect(events).toEqual(["slow", "ticks"]);
  wire.thaw();
  await until(outcome, (found) => found === "answered");
  await databases.close();
});
