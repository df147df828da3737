/** The start of instances while the primary is away, and answers that do not come. */
import { type IndexHead, openPostgresReader, type PostgresReader } from "@chain-query/postgres-store";
import { type PostgresServer, startPostgres } from "@chain-query/testing/services";
import { type Logger, pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPostgresKeys } from "../../src/limits/postgres-keys.ts";
import { readIndexedChain } from "../../src/processes/open-postgres.ts";
import { newestHeads } from "../../src/sources/newest-heads.ts";
import { postgresSource } from "../../src/sources/postgres.ts";
import { Databases } from "../../src/sources/postgres-databases.ts";
import { ServedHead } from "../../src/sources/served-head.ts";
import { ask, until } from "../fixtures/ask.ts";
import { startWith } from "../fixtures/command.ts";
import { growingIndex, headOf, indexedDatabase, smallChain } from "./indexed-chain.ts";

/** The last step of the index at first. */
const seqno = 3;
let primary: PostgresServer;
let url: string;

beforeAll(async () => {
  primary = await startPostgres();
  url = await indexedDatabase(primary, smallChain, { last: seqno });
});
afterAll(() => primary?.stop());

const readiness = async (base: string): Promise<unknown> => {
  const response = await fetch(`${base}/readyz`);
  return [response.status, await response.json()];
};

test("replicas are enough to start one or two workers, and the primary is read from when it is back", async () => {
  const editor = openPostgresKeys(url);
  const { text: key } = await editor.add("alice", { rate: 0 });
  await editor.close();
  await using standby = await primary.startStandby();
  const replica = openPostgresReader({ url: standby.urlOf(url) });
  await until(async () => (await replica.head()).block.id.seqno === seqno || undefined);
  await replica.close();
  await primary.kill();
  const startWorkers = (workers: string) =>
    startWith(
      { CHAIN_QUERY_POSTGRES: `${url},${standby.urlOf(url)}` },
      ...["--port", "0", "--workers", workers, "--keyless-rate", "0"],
    );
  await using one = startWorkers("1");
  await using two = startWorkers("2");
  const commands = [one, two];
  for (const command of commands) {
    const base = await command.url;
    for (let round = 0; round < 8; round++) expect(await headOf(base)).toBe(seqno);
    for (let round = 0; round < 3; round++)
      expect((await ask(base, "getMasterchainInfo", {}, { "x-api-key": key })).status).toBe(200);
    expect((await ask(base, "getMasterchainInfo", {}, { "x-api-key": `${key.slice(0, -2)}AA` })).status).toBe(401);
    expect((await ask(base, "lookupBlock", { workchain: -1, shard: "-9223372036854775808", seqno: 1 })).status).toBe(200);
    const warning = "the primary database cannot be read; replicas answer with the newest block that they have";
    expect(await readiness(base)).toEqual([200, { ok: true, warning }]);
    expect(command.log()).toContainEqual(
      expect.objectContaining({ database: "primary", msg: "database cannot be reached at the start" }),
    );
    expect(command.log().map(({ msg }) => msg)).not.toContain("the service is not ready");
  }

  await primary.start();
  await using index = await growingIndex(url, smallChain, seqno);
  await index.grow();
  for (const command of commands) {
    const base = await command.url;
    await until(async () => (await headOf(base)) === seqno + 1 || undefined);
    await expect.poll(() => readiness(base)).toEqual([200, { ok: true }]);
  }
});

/** A log, and the messages that were written to it. */
function logOfMessages(): { log: Logger; messages: string[] } {
  const messages: string[] = [];
  return { log: pino({}, { write: (line) => void messages.push(JSON.parse(line).msg) }), messages };
}

test("without any database, the start is one line that names each of them", async () => {
  const [first = "", ...replicas] = ["postgres://me:hunter2@127.0.0.1:1/chain", "postgres://me@127.0.0.1:2/chain"];
  const options = { primary: first, replicas, archive: undefined, startTimeout: 300 };
  const { log, messages } = logOfMessages();
  const failure = await readIndexedChain(options, log).catch((error: unknown) => error);
  const place = (port: number) => `PostgreSQL at postgres://me@127\\.0\\.0\\.1:${port}/chain: [^\n]*`;
  expect(failure).toMatchObject({
    name: "StartError",
    message: expect.stringMatching(new RegExp(`^${place(1)}; ${place(2)}$`)),
  });
  expect(String(failure)).not.toContain("hunter2");
  expect(messages).toEqual(["no database can be reached yet, trying again"]);
});

test("the start waits for a database that does not answer at first", async () => {
  const { log, messages } = logOfMessages();
  // It accepts connections, and answers none.
  process.kill(primary.pid, "SIGSTOP");
  try {
    const reading = readIndexedChain({ primary: url, replicas: [], archive: undefined }, log);
    await Promise.race([reading, until(() => messages.length > 0 || undefined)]);
    process.kill(primary.pid, "SIGCONT");
    expect((await reading).masterchain.seqno).toBe(0);
    expect(messages).toEqual(["no database can be reached yet, trying again"]);
  } finally {
    process.kill(primary.pid, "SIGCONT");
  }
});

test("the head of a replica is the one that it has now, not the last one that it had", async () => {
  const [own, replica] = [openPostgresReader({ url }), openPostgresReader({ url })];
  const set = {
    primary: { name: "primary", reader: own },
    replicas: [{ name: "replica 1", reader: replica }],
    archive: undefined,
  };
  const databases = new Databases(set, { onChange: () => {} });
  const heads = newestHeads<IndexHead>(({ block }) => block.id.seqno);
  const served = new ServedHead(databases, heads, undefined);
  await Promise.all([databases.primary, ...databases.replicas].map((one) => one.check(-1)));
  await own.close();
  expect((await served.read()).head.block.id.seqno).toBe(seqno + 1);
  await replica.close();
  await expect(served.read()).rejects.toMatchObject({ kind: "unreachable" });
});

test("an answer that does not come from the database is a failure of the request", async () => {
  const reader = openPostgresReader({ url });
  const indexed = await reader.chain();
  let [isSilent, mayAnswerHead] = [false, true];
  const orSilent = <Result>(read: () => Promise<Result>): Promise<Result> => (isSilent ? new Promise(() => {}) : read());
  const silent: PostgresReader = {
    ...reader,
    head: () => (mayAnswerHead ? reader.head() : orSilent(() => reader.head())),
    account: (account, at) => orSilent(() => reader.account(account, at)),
  };
  const options = { primary: { name: "primary", reader: silent }, replicas: [], archive: undefined };
  const databases = new Databases(options, { onChange: () => {} });
  const heads = newestHeads<IndexHead>(({ block }) => block.id.seqno);
  const served = new ServedHead(databases, heads, undefined);
  const source = postgresSource({ databases, served, chain: indexed, close: () => databases.close() });
  const account = { workchain: 0, hash: new Uint8Array(32) };
  await source.account(account);
  isSilent = true;
  await expect(source.account(account)).rejects.toMatchObject({ name: "SourceError", kind: "slow" });
  mayAnswerHead = false;
  await expect(source.head()).rejects.toMatchObject({ name: "SourceError", kind: "slow" });
  await source.close();
});
