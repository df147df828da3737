/** Services on an index of a fork, whose steps are then removed and replaced by those of the right chain. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chainSteps, openProducer } from "@chain-query/local-chain";
import { copyMadeChain } from "@chain-query/local-chain/testing";
import { rewindIndex } from "@chain-query/postgres-store";
import { inDatabase, type PostgresDatabases, sharedPostgres, startPostgres, startRedis } from "@chain-query/testing/services";
import { beforeAll, expect, test } from "vitest";
import { ask, resultOf } from "../fixtures/ask.ts";
import { startWith } from "../fixtures/command.ts";
import { startService } from "../fixtures/service.ts";
import { startWire } from "../fixtures/wire.ts";
import { busiestOf, headOf, indexedDatabase, indexOf, serviceOn, smallChain } from "./indexed-chain.ts";

const common = smallChain.steps;
/** The heads of the two chains. */
const [forked, newest] = [common + 6, common + 8];
const whole = { workchain: -1, shard: "-9223372036854775808" };

let server: PostgresDatabases;
let right: string;
let fork: string;
let address: string;
/** An index of the right chain, which tests only read. */
let rightIndex: string;

/** Indexes a chain to its end, after the head of an index. */
async function index(url: string, chain: string): Promise<void> {
  await using _ = await indexOf(chainSteps(chain), url);
}

/** The responses of a service about a chain, to be compared with those of another service. */
async function responsesOf(url: string): Promise<unknown[]> {
  const seqnos = Array.from({ length: newest }, (_, index) => index + 1);
  return Promise.all([
    resultOf(url, "getMasterchainInfo"),
    resultOf(url, "getConsensusBlock"),
    resultOf(url, "getAddressInformation", { address }),
    resultOf(url, "getTransactionsStd", { address, limit: 20, archival: true }),
    ...seqnos.map((seqno) => resultOf(url, "lookupBlock", { ...whole, seqno })),
  ]).then((results) => results.map((one) => JSON.parse(JSON.stringify(one), (key, value) => (timeOf(key) ? 0 : value))));
}

/** A page that begins with a transaction of the fork's newest step, which a rewind removes. */
async function removedPage(database: string, service: string): Promise<object> {
  const [row] = await inDatabase(
    database,
    (sql) => sql`SELECT encode(substr(account, 5), 'hex') AS hash FROM transactions
        WHERE mc_seqno = ${forked} AND substr(account, 1, 4) = ${Buffer.from("80000000", "hex")} LIMIT 1`,
  );
  const removed = { address: `0:${row?.["hash"]}`, limit: 5 };
  const { transactions } = await resultOf(service, "getTransactionsStd", removed);
  const { lt, hash } = transactions[0]?.transaction_id ?? expect.unreachable();
  return { ...removed, lt, hash, archival: true };
}

/** Whether a member of a response depends on the time of the request. */
function timeOf(key: string): boolean {
  return key === "@extra" || key === "sync_utime" || key === "consensus_timestamp" || key === "timestamp";
}

/** The number of instances, and whether they share a Redis. */
type Case = readonly [instances: number, isShared: boolean];

/** Tests services of each kind. */
export function followRewinds(cases: readonly Case[]): void {
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), "chain-query-rewind-"));
    [server, address] = await Promise.all([sharedPostgres(), busiestOf(smallChain)]);
    const grow = async (to: number, rate: number): Promise<string> => {
      const chain = join(folder, `${rate}`);
      await copyMadeChain(chain, smallChain);
      const producer = await openProducer(chain);
      await producer.steps(Array.from({ length: to - common }, () => ({ rate })));
      await producer.close();
      return chain;
    };
    [fork, right] = [await grow(forked, 3), await grow(newest, 20)];
    rightIndex = await server.createDatabase();
    await index(rightIndex, right);
    return () => rmSync(folder, { recursive: true, force: true });
  });

  test.concurrent.for(cases)(
    "%i instances go back only after a rewind, Redis %s, and answer from the right chain",
    async ([count, isShared], { expect }) => {
      const url = await server.createDatabase();
      await index(url, fork);
      await using stack = new AsyncDisposableStack();
      const redis = isShared ? await startRedis() : undefined;
      if (redis !== undefined && "reason" in redis) throw new Error(redis.reason);
      if (redis !== undefined) stack.defer(() => redis.stop());
      const variables = { CHAIN_QUERY_POSTGRES: url, ...(redis && { CHAIN_QUERY_REDIS: redis.url }) };
      const args = ["--port", "0", "--keyless-rate", "0"];
      const commands = Array.from({ length: count }, () => stack.use(startWith(variables, ...args)));
      const urls = await Promise.all(commands.map((command) => command.url));
      // Each request has a connection of its own, and so each instance gets some.
      const requests = urls.flatMap((one) => Array.from({ length: 4 }, () => one));
      const heads = async () => [...new Set(await Promise.all(requests.map(headOf)))];
      expect(await heads()).toEqual([forked]);
      const page = await removedPage(url, urls[0] ?? "");
      const pages = () => Promise.all(requests.map((one) => ask(one, "getTransactionsStd", page)));
      expect(new Set((await pages()).map(({ status }) => status))).toEqual(new Set([200]));

      // A lower head without a rewind is one that lacks blocks.
      const lower = await indexedDatabase(server, smallChain);
      const [head] = await inDatabase(lower, (sql) => sql`SELECT seqno, record FROM head`);
      const set = (row: typeof head) =>
        inDatabase(url, (sql) => sql`UPDATE head SET seqno = ${row?.["seqno"]}, record = ${row?.["record"]}`);
      const [forkedHead] = await inDatabase(url, (sql) => sql`SELECT seqno, record FROM head`);
      await set(head);
      const accounts = urls.map((one) => async () => (await ask(one, "getAddressInformation", { address })).status);
      for (const statusOf of accounts) await expect.poll(statusOf).toBe(504);
      expect(await heads()).toEqual([forked]);
      await set(forkedHead);

      await rewindIndex({ url }, common);
      await expect.poll(heads).toEqual([common]);
      expect(new Set((await pages()).map(({ status }) => status))).toEqual(new Set([404]));
      const line = { level: 40, seqno: common, msg: "the newest steps of the index were removed, continuing from the rest" };
      for (const command of commands) await expect.poll(() => command.log()).toContainEqual(expect.objectContaining(line));

      await index(url, right);
      await expect.poll(heads).toEqual([newest]);
      await using expected = await serviceOn(rightIndex);
      const rightResponses = await responsesOf(expected.url);
      for (const one of urls) expect(await responsesOf(one)).toEqual(rightResponses);
    },
  );
}

/** Tests a service with a replica; call it after `followRewinds`. */
export function followRewindsOfReplica(): void {
  test("a replica that lacks a rewind is not read, also without the primary, until it has the rewind too", async ({
    expect,
  }) => {
    await using primary = await startPostgres();
    const url = await primary.createDatabase();
    await index(url, fork);
    await using standby = await primary.startStandby();
    const wire = await startWire(Number(new URL(url).port));
    const source = { kind: "index", primary: wire.to(url), replicas: [standby.urlOf(url)], archive: undefined } as const;
    await using service = await startService({ deadline: 10, source });
    const replica = async () => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      return ["in_service", "head_seqno"].map((name) =>
        new RegExp(`^chain_query_database_${name}\\{database="replica 1"\\} (\\S+)$`, "m").exec(text)?.slice(1).map(Number),
      );
    };
    await expect.poll(replica).toEqual([[1], [forked]]);
    const page = await removedPage(url, service.url);
    const statusOf = async (): Promise<number> => (await ask(service.url, "getTransactionsStd", page)).status;
    expect(await statusOf()).toBe(200);

    await standby.pauseReplay();
    await rewindIndex({ url }, common);
    await expect.poll(() => headOf(service.url)).toBe(common);
    expect((await resultOf(service.url, "getConsensusBlock")).consensus_block).toBe(common);
    expect(await statusOf()).toBe(404);
    await index(url, right);
    await expect.poll(() => headOf(service.url)).toBe(newest);
    await using expected = await serviceOn(rightIndex);
    const rightResponses = await responsesOf(expected.url);
    expect(await responsesOf(service.url)).toEqual(rightResponses);
    await expect.poll(replica).toEqual([[0], [forked]]);

    wire.freeze();
    // No database is left: neither the removed steps nor their head are in a response.
    for (let round = 0; round < 3; round++) {
      expect([504, 542]).toContain(await statusOf());
      expect([504, 542]).toContain((await ask(service.url, "getMasterchainInfo")).status);
    }
    wire.thaw();
    await standby.resumeReplay();
    await expect.poll(replica).toEqual([[1], [newest]]);
    wire.freeze();
    const readiness = async () => (await fetch(`${service.url}/readyz`)).text();
    await expect.poll(readiness).toContain("the primary database cannot be read");
    expect(await responsesOf(service.url)).toEqual(rightResponses);
  });
}
