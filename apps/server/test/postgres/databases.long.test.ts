/** The service on an index with replicas and databases that fail, lack blocks or have another chain. */

import { setTimeout as sleep } from "node:timers/promises";
import { madeChain } from "@chain-query/local-chain/testing";
import { SMALL as chain, FROZEN } from "@chain-query/testing/chains";
import { type PostgresServer, startPostgres } from "@chain-query/testing/services";
import { until } from "@chain-query/testing/until";
import postgres from "postgres";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { openPostgresApiKeys } from "../../src/limits/postgres-api-keys.ts";
import { ask, readinessOf, resultOf } from "../fixtures/ask.ts";
import { busiestOf } from "../fixtures/chain.ts";
import { startService } from "../fixtures/service.ts";
import { startWire } from "../fixtures/wire.ts";
import { growingIndex, headOf, indexedDatabase, serviceOn } from "./indexed-chain.ts";

const newest = chain.steps;
let server: PostgresServer;
let address: string;
beforeAll(async () => {
  server = await startPostgres();
  [address = ""] = await busiestOf(await madeChain(chain), 1);
});
afterAll(() => server?.stop());

/** Makes a database with the steps of the chain up to one of them. */
const indexed = (last: number = newest): Promise<string> => indexedDatabase(server, chain, { last });

/** The value of a metric of one database. */
async function metric(url: string, name: string, database: string): Promise<string | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return new RegExp(`^chain_query_database_${name}\\{database="${database}"\\} (\\S+)$`, "m").exec(text)?.[1];
}

/** Ends the connections to a database, and gives its name to another one. */
async function exchange(url: string, otherUrl: string): Promise<void> {
  const sql = postgres(server.urlOf("postgres"), { max: 1, onnotice: () => {} });
  const [name, other] = [url, otherUrl].map((one) => new URL(one).pathname.slice(1));
  if (name === undefined || other === undefined) throw new Error("a database has no name");
  await sql`ALTER DATABASE ${sql(name)} ALLOW_CONNECTIONS false`;
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname IN (${name}, ${other})`;
  // Autovacuum may be connected to either.
  const rename = (from: string, to: string) =>
    until(() =>
      sql`ALTER DATABASE ${sql(from)} RENAME TO ${sql(to)}`.then(
        () => true,
        () => false,
      ),
    );
  await rename(name, `lost_${name}`);
  await rename(other, name);
  await sql.end();
}

test("the start waits for a replica that does not have the database yet", async () => {
  await using standby = await server.startStandby();
  await standby.pauseReplay();
  const url = await indexed(1);
  const starting = serviceOn(url, standby.urlOf(url));
  await Promise.race([starting, sleep(500)]);
  await standby.resumeReplay();
  await using service = await starting;
  expect(await headOf(service.url)).toBe(1);
});

test("no instance responds with an older head than any before it, while a replica is held back", async () => {
  await using index = await growingIndex(await indexed(newest - 1), chain, newest - 1);
  await using standby = await server.startStandby();
  await using one = await serviceOn(index.url, standby.urlOf(index.url));
  await using other = await serviceOn(index.url);
  const isInService = async (): Promise<boolean> => (await metric(one.url, "in_service", "replica 1")) === "1";
  const consensus = async (): Promise<number> => (await resultOf(one.url, "getConsensusBlock")).consensus_block;
  await until(async () => await isInService());

  await standby.pauseReplay();
  let seen = await headOf(one.url);
  const before = seen;
  await index.grow();
  for (let round = 0; round < 20; round++) {
    const head = await headOf((round % 2 === 0 ? one : other).url);
    expect(head).toBeGreaterThanOrEqual(seen);
    seen = head;
  }
  for (const { url } of [one, other])
    seen = await until(
      () => headOf(url),
      (head) => head === before + 1,
    );
  expect((await resultOf(one.url, "getAddressInformation", { address })).block_id.seqno).toBe(seen);
  const pages = [one, other].map(({ url }) => resultOf(url, "getTransactionsStd", { address, limit: 3 }));
  expect(await pages[0]).toEqual(await pages[1]);

  // The consensus block waits for the replica until it is left out, which takes two seconds.
  await until(async () => {
    const block = await consensus();
    if (!(await isInService())) return true;
    expect(block).toBe(before);
    return undefined;
  });
  expect(await consensus()).toBe(seen);
  await standby.resumeReplay();
  await until(async () => await isInService());
  expect(await metric(one.url, "head_seqno", "replica 1")).toBe(String(seen));

  await using alone = await serviceOn(index.url);
  // Without its primary, a service answers from the replica.
  const blocked = postgres(server.urlOf("postgres"), { max: 1, onnotice: () => {} });
  const name = new URL(index.url).pathname.slice(1);
  await blocked`ALTER DATABASE ${blocked(name)} ALLOW_CONNECTIONS false`;
  try {
    await blocked`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name} AND application_name LIKE '%reader'`;
    await until(async () => (await metric(one.url, "in_service", "primary")) === "0");
    expect(await headOf(one.url)).toBe(seen);
    expect((await resultOf(one.url, "getAddressInformation", { address })).block_id.seqno).toBe(seen);
    const { status, body } = await ask(alone.url, "getMasterchainInfo");
    expect([status, body.error]).toEqual([542, "the database of this service cannot be read"]);
  } finally {
    await blocked`ALTER DATABASE ${blocked(name)} ALLOW_CONNECTIONS true`;
    await blocked.end();
  }
  await until(async () => (await fetch(`${alone.url}/readyz`)).ok && (await headOf(alone.url)) === seen);
});

test("when the primary is lost and its replica is promoted, heads go on from the replica, and never back", async () => {
  const begun = newest - 2;
  await using primary = await startPostgres();
  const url = await indexedDatabase(primary, chain, { last: begun });
  await using standby = await primary.startStandby();
  const promoted = standby.urlOf(url);
  await using service = await serviceOn(url, promoted);
  await until(async () => (await metric(service.url, "head_seqno", "replica 1")) === String(begun));
  let seen = await headOf(service.url);
  const readHead = async (): Promise<number> => {
    const { status, body } = await ask(service.url, "getMasterchainInfo");
    // Until the service has noticed that the primary is lost, a read may fail with it.
    expect([200, 504, 542]).toContain(status);
    if (status !== 200) return seen;
    const { seqno } = (body.result as { last: { seqno: number } }).last;
    expect(seqno).toBeGreaterThanOrEqual(seen);
    seen = seqno;
    return seen;
  };
  await primary.kill();
  for (let round = 0; round < 20; round++) await readHead();
  await until(async () => (await ask(service.url, "getAddressInformation", { address })).status === 200);
  await standby.promote();
  await using index = await growingIndex(promoted, chain, begun);
  for (const next of [begun + 1, newest]) {
    await index.grow();
    await until(async () => (await readHead()) === next);
  }
  await using direct = await startService({ source: { kind: "chain", folder: await madeChain(chain) } });
  const input = { address, limit: 10 };
  expect(await resultOf(service.url, "getTransactionsStd", input)).toEqual(
    await resultOf(direct.url, "getTransactionsStd", input),
  );
});

test("after a failover to a database that lacks blocks, no head is older than before, and the chain continues when it is written again", async () => {
  const [whole, lacking] = [await indexed(), await indexed(newest - 2)];
  await using service = await serviceOn(whole);
  await using direct = await startService({ source: { kind: "chain", folder: await madeChain(chain) } });
  expect(await headOf(service.url)).toBe(newest);
  const page = await resultOf(service.url, "getTransactionsStd", { address, limit: 10 });

  await exchange(whole, lacking);

  await until(async () => (await ask(service.url, "getMasterchainInfo")).status === 200);
  await until(async () => (await metric(service.url, "head_seqno", "primary")) === String(newest - 2));
  expect(await headOf(service.url)).toBe(newest);
  expect((await ask(service.url, "getAddressInformation", { address })).status).toBe(504);
  // Data of an existing block never changes.
  const { lt, hash } = page.previous_transaction_id;
  const older = { address, limit: 2, lt, hash };
  await until(async () => (await ask(service.url, "getTransactionsStd", older)).status === 200);
  const readiness = () => readinessOf(service.url);
  expect((await readiness())[0]).toBe(200);
  onTestFinished(() => void vi.restoreAllMocks());
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + 31_000);
  expect(await readiness()).toEqual([
    503,
    expect.stringContaining("the databases lack blocks that this service has answered with"),
  ]);
  clock.mockRestore();

  await using _ = await growingIndex(whole, chain, newest);
  await until(async () => (await ask(service.url, "getAddressInformation", { address })).status === 200);
  await until(async () => (await metric(service.url, "head_seqno", "primary")) === String(newest));
  vi.spyOn(performance, "now").mockImplementation(() => now() + 31_000);
  // The databases are polled once more first.
  await until(async () => (await readiness())[0] === 200);
  vi.restoreAllMocks();
  for (const id of ["getMasterchainInfo", "getAddressInformation", "getTransactionsStd"] as const) {
    const input = id === "getMasterchainInfo" ? {} : { address };
    expect(await resultOf(service.url, id, input)).toEqual(await resultOf(direct.url, id, input));
  }
});

test("while the primary is frozen, requests are answered by a replica within their deadline, also those with a key", async () => {
  const url = await indexed();
  const editor = openPostgresApiKeys(url);
  const { text: key } = await editor.add("alice", { rate: 0 });
  await editor.close();
  const wire = await startWire(Number(new URL(url).port));
  // It has its own connections, and the same rows.
  const source = { kind: "index", primary: wire.to(url), replicas: [url] } as const;
  await using service = await startService({ deadline: 15, source });
  await until(async () => (await metric(service.url, "in_service", "replica 1")) === "1");
  expect(await headOf(service.url)).toBe(newest);
  wire.freeze();
  const headers = { "x-api-key": key };
  const answers = await Promise.all([
    ask(service.url, "getMasterchainInfo"),
    ask(service.url, "getMasterchainInfo", {}, headers),
    ask(service.url, "getAddressInformation", { address }, headers),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await until(async () => (await metric(service.url, "in_service", "primary")) === "0");
  expect((await ask(service.url, "getTransactionsStd", { address, limit: 3 }, headers)).status).toBe(200);
  wire.thaw();
  await until(async () => (await metric(service.url, "in_service", "primary")) === "1");
});

test("a database of another network is not read from, also when its address led to the right one before", async () => {
  const [own, otherChain] = [await indexed(), await indexedDatabase(server, FROZEN, { last: 0 })];
  await using service = await serviceOn(own);
  const seqno = await headOf(service.url);
  const lookup = () => ask(service.url, "lookupBlock", { workchain: -1, shard: "-9223372036854775808", seqno: seqno - 4 });
  expect((await lookup()).status).toBe(200);
  await exchange(own, otherChain);
  await until(async () => (await (await fetch(`${service.url}/status.json`)).text()).includes('"other-chain"'));
  expect([(await lookup()).status, (await ask(service.url, "getMasterchainInfo")).status]).toEqual([542, 542]);
});
