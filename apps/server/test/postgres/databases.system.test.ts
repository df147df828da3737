/** The service on an index with replicas, and with databases that fail. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ChainReader, chainSteps, createChain, openChain, openProducer, type Producer } from "@chain-query/local-chain";
import { parseAddress, toRawAddress } from "@chain-query/openapi/address";
import { type IndexHead, openPostgresReader, type PostgresReader } from "@chain-query/postgres-store";
import { type PostgresServer, startPostgres } from "@chain-query/test-services";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { accountsOf } from "../../bench/requests.ts";
import { TransactionPages } from "../../src/answers/pages.ts";
import { newestHeads } from "../../src/sources/newest-heads.ts";
import { postgresSource } from "../../src/sources/postgres.ts";
import { Databases } from "../../src/sources/postgres-databases.ts";
import { ServedHead } from "../../src/sources/served-head.ts";
import { ask, resultOf, until } from "../fixtures/ask.ts";
import { startWith } from "../fixtures/command.ts";
import { startService, type TestService, temporaryFolder } from "../fixtures/service.ts";
import { type IndexOfChain, indexOf } from "./index-of-chain.ts";

const folder = temporaryFolder();
let chain: string;
let server: PostgresServer;
let index: IndexOfChain;
let producer: Producer;
let reader: ChainReader;

beforeAll(async () => {
  chain = join(folder.path, "chain");
  await createChain(chain, { seed: 5, accounts: 30, rate: 8, blockInterval: 5 });
  producer = await openProducer(chain);
  await producer.steps(Array.from({ length: 15 }, () => ({})));
  reader = openChain(chain);
  server = await startPostgres();
  index = await indexOf(chainSteps(chain), await server.createDatabase());
});
afterAll(async () => {
  await index?.[Symbol.asyncDispose]();
  await reader?.close();
  await producer?.close();
  await server?.stop();
  folder[Symbol.dispose]();
});

const on = (primary: string, ...replicas: string[]): Promise<TestService> =>
  startService({ postgres: { primary, replicas, archive: undefined } });

const headOf = async (url: string): Promise<number> => (await resultOf(url, "getMasterchainInfo")).last.seqno;

async function grow(): Promise<number> {
  const { seqno } = await producer.step();
  await index.follow();
  return seqno;
}

/** The value of a metric of one database. */
async function metric(url: string, name: string, database: string): Promise<string | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return new RegExp(`^chain_query_database_${name}\\{database="${database}"\\} (\\S+)$`, "m").exec(text)?.[1];
}

/** The account with the longest history. */
function busiest(): string {
  const accounts = accountsOf(reader).map((account) => ({ account, length: [...reader.transactions(account)].length }));
  return toRawAddress(accounts.reduce((one, other) => (other.length > one.length ? other : one)).account);
}

/** Ends the connections to a database, and gives its name to another one. */
async function exchange(url: string, otherUrl: string): Promise<void> {
  const sql = postgres(server.urlOf("postgres"), { max: 1, onnotice: () => {} });
  const [name, other] = [url, otherUrl].map((one) => new URL(one).pathname.slice(1));
  if (name === undefined || other === undefined) throw new Error("a database has no name");
  await sql`ALTER DATABASE ${sql(name)} ALLOW_CONNECTIONS false`;
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname IN (${name}, ${other})`;
  await until(() =>
    sql`ALTER DATABASE ${sql(name)} RENAME TO ${sql(`lost_${name}`)}`.then(
      () => true,
      () => undefined,
    ),
  );
  await sql`ALTER DATABASE ${sql(other)} RENAME TO ${sql(name)}`;
  await sql.end();
}

test("no answer is older than one before, of any instance, while a replica is held back", async () => {
  await using standby = await server.startStandby();
  await using one = await on(index.url, standby.urlOf(index.url));
  await using other = await on(index.url);
  const address = busiest();
  await until(async () => (await metric(one.url, "in_service", "replica 1")) === "1" || undefined);

  await standby.pauseReplay();
  let seen = await headOf(one.url);
  const before = seen;
  await grow();
  for (let round = 0; round < 20; round++) {
    const head = await headOf((round % 2 === 0 ? one : other).url);
    expect(head).toBeGreaterThanOrEqual(seen);
    seen = head;
  }
  expect(seen).toBe(before + 1);
  expect((await resultOf(one.url, "getAddressInformation", { address })).block_id.seqno).toBe(seen);
  const pages = [one, other].map(({ url }) => resultOf(url, "getTransactionsStd", { address, limit: 3 }));
  expect(await pages[0]).toEqual(await pages[1]);
  expect((await resultOf(one.url, "getConsensusBlock")).consensus_block).toBe(before);

  // The others do not wait for it for long.
  await until(async () => (await metric(one.url, "in_service", "replica 1")) === "0" || undefined);
  expect((await resultOf(one.url, "getConsensusBlock")).consensus_block).toBe(seen);
  await standby.resumeReplay();
  await until(async () => (await metric(one.url, "in_service", "replica 1")) === "1" || undefined);
  expect(await metric(one.url, "head_seqno", "replica 1")).toBe(String(seen));

  await using alone = await on(index.url);
  // Without its primary, a service answers from the replica.
  const blocked = postgres(server.urlOf("postgres"), { max: 1, onnotice: () => {} });
  const name = new URL(index.url).pathname.slice(1);
  await blocked`ALTER DATABASE ${blocked(name)} ALLOW_CONNECTIONS false`;
  try {
    await blocked`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name} AND application_name LIKE '%reader'`;
    await until(async () => (await metric(one.url, "in_service", "primary")) === "0" || undefined);
    expect(await headOf(one.url)).toBe(seen);
    expect((await resultOf(one.url, "getAddressInformation", { address })).block_id.seqno).toBe(seen);
    const { status, body } = await ask(alone.url, "getMasterchainInfo");
    expect([status, body.error]).toEqual([542, "the database of this service cannot be read"]);
  } finally {
    await blocked`ALTER DATABASE ${blocked(name)} ALLOW_CONNECTIONS true`;
    await blocked.end();
  }
  await until(async () => ((await fetch(`${alone.url}/readyz`)).ok && (await headOf(alone.url)) === seen) || undefined);
});

test("after a failover to a database that lacks blocks, no answer is older, and the chain goes on when it is written again", async () => {
  const seqno = await grow();
  await using whole = await indexOf(chainSteps(chain), await server.createDatabase());
  await using lacking = await indexOf(chainSteps(chain), await server.createDatabase(), seqno - 2);
  await using service = await on(whole.url);
  await using direct = await startService({ chain });
  const address = busiest();
  expect(await headOf(service.url)).toBe(seqno);
  const page = await resultOf(service.url, "getTransactionsStd", { address, limit: 10 });

  await lacking[Symbol.asyncDispose]();
  await whole[Symbol.asyncDispose]();
  await exchange(whole.url, lacking.url);

  await until(async () => (await ask(service.url, "getMasterchainInfo")).status === 200 || undefined);
  await until(async () => (await metric(service.url, "head_seqno", "primary")) === String(seqno - 2) || undefined);
  expect(await headOf(service.url)).toBe(seqno);
  expect((await ask(service.url, "getAddressInformation", { address })).status).toBe(504);
  // What was found in a block that is there never changes.
  const { lt, hash } = page.previous_transaction_id;
  const older = { address, limit: 2, lt, hash };
  await until(async () => (await ask(service.url, "getTransactionsStd", older)).status === 200 || undefined);
  const readiness = async () => {
    const response = await fetch(`${service.url}/readyz`);
    return [response.status, await response.text()];
  };
  expect((await readiness())[0]).toBe(200);
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + 31_000);
  expect(await readiness()).toEqual([
    503,
    expect.stringContaining("the databases lack blocks that this service has answered with"),
  ]);
  clock.mockRestore();

  await using again = await indexOf(chainSteps(chain), whole.url);
  expect(again.url).toBe(whole.url);
  await until(async () => (await ask(service.url, "getAddressInformation", { address })).status === 200 || undefined);
  await until(async () => (await metric(service.url, "head_seqno", "primary")) === String(seqno) || undefined);
  vi.spyOn(performance, "now").mockImplementation(() => now() + 31_000);
  // The databases are polled once more first.
  await until(async () => (await readiness())[0] === 200 || undefined);
  vi.restoreAllMocks();
  for (const id of ["getMasterchainInfo", "getAddressInformation", "getTransactionsStd"] as const) {
    const input = id === "getMasterchainInfo" ? {} : { address };
    expect(await resultOf(service.url, id, input)).toEqual(await resultOf(direct.url, id, input));
  }
});

test("while the database is frozen, every request ends, and afterwards no connection is left over", async () => {
  await using frozen = await startPostgres();
  await using own = await indexOf(chainSteps(chain), await frozen.createDatabase());
  await using service = await on(own.url);
  const address = busiest();
  /** Nothing of a round is in a cache. */
  const askAll = async (round: number) => {
    const answers = await Promise.all([
      ask(service.url, "getMasterchainInfo"),
      ask(service.url, "getTransactionsStd", { address, limit: 1 + round }),
      ask(service.url, "getAddressInformation", { address }),
      ask(service.url, "lookupBlock", { workchain: -1, shard: "-9223372036854775808", seqno: 1 + round }),
    ]);
    return answers.map(({ status }) => status);
  };
  expect(await askAll(0)).toEqual([200, 200, 200, 200]);
  const connections = await frozen.connections(own.url);
  // No process is started after the first one is stopped.
  process.kill(frozen.pid, "SIGSTOP");
  const children = childrenOf(frozen.pid);
  for (const pid of children) signal(pid, "SIGSTOP");
  try {
    // No answer on an open connection, or no server that would answer a new one.
    for (const round of [1, 2, 3]) for (const status of await askAll(round)) expect([504, 542]).toContain(status);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(503);
  } finally {
    for (const pid of [...children, frozen.pid]) signal(pid, "SIGCONT");
  }
  await until(async () => (await askAll(4)).every((status) => status === 200) || undefined);
  await until(async () => (await frozen.connections(own.url)) <= connections || undefined);
});

test("a database of another network is not read from, also when its address led to the right one before", async () => {
  const strange = `${folder.path}/another`;
  await createChain(strange, { seed: 7, accounts: 20 });
  await using own = await indexOf(chainSteps(chain), await server.createDatabase());
  await using foreign = await indexOf(chainSteps(strange), await server.createDatabase());
  await using service = await on(own.url);
  const seqno = await headOf(service.url);
  const lookup = () => ask(service.url, "lookupBlock", { workchain: -1, shard: "-9223372036854775808", seqno: seqno - 4 });
  expect((await lookup()).status).toBe(200);
  await own[Symbol.asyncDispose]();
  await foreign[Symbol.asyncDispose]();
  await exchange(own.url, foreign.url);
  await until(async () => (await (await fetch(`${service.url}/status.json`)).text()).includes('"foreign"') || undefined);
  for (let round = 0; round < 5; round++) {
    expect((await lookup()).status).toBe(542);
    expect((await ask(service.url, "getMasterchainInfo")).status).toBe(542);
  }
});

test("a row that was changed is an internal error, and the rest is answered", async () => {
  await using changed = await indexOf(chainSteps(chain), await server.createDatabase());
  await using service = await on(changed.url);
  const address = busiest();
  const [, second] = reader.transactions(parseAddress(address));
  const sql = postgres(changed.url, { max: 1 });
  await sql`UPDATE transactions SET record = set_byte(record, 99, get_byte(record, 99) # 1) WHERE lt = ${String(second?.id.lt)}`;
  await sql.end();
  const { status, body } = await ask(service.url, "getTransactionsStd", { address, limit: 5 });
  expect([status, body.error]).toEqual([500, expect.stringMatching(/^internal error/)]);
  expect((await ask(service.url, "getTransactionsStd", { address, limit: 1 })).status).toBe(200);
});

test("a page is one statement, and equal questions at the same time share one answer", async () => {
  const database = openPostgresReader({ url: index.url });
  const counts = { head: 0, transactions: 0, account: 0 };
  const count =
    <Args extends unknown[], Result>(name: keyof typeof counts, read: (...args: Args) => Result) =>
    (...args: Args): Result => {
      counts[name]++;
      return read(...args);
    };
  const counted: PostgresReader = {
    ...database,
    head: count("head", database.head),
    transactions: count("transactions", database.transactions),
    account: count("account", database.account),
  };
  const indexed = await database.chain();
  const options = { primary: { name: "primary", reader: counted }, replicas: [], archive: undefined };
  const databases = new Databases(options, { onChange: () => {} });
  const served = new ServedHead(
    databases,
    newestHeads<IndexHead>(({ block }) => block.id.seqno),
    undefined,
  );
  const source = postgresSource({ databases, served, chain: indexed, close: () => databases.close() });
  const pages = new TransactionPages(source, 2 ** 20);
  const query = { limit: 100, aboveLt: 0n, archival: true };
  const account = accountsOf(reader).at(0) ?? expect.unreachable();
  const first = await pages.page(account, query);
  expect(counts).toEqual({ head: 1, transactions: 1, account: 0 });
  expect(await pages.page(account, query)).toBe(first);
  expect(counts).toEqual({ head: 2, transactions: 1, account: 0 });
  const others = accountsOf(reader).slice(1, 3);
  await Promise.all(others.flatMap((one) => Array.from({ length: 20 }, () => pages.page(one, query))));
  expect(counts.transactions).toBe(3);
  expect(counts.head).toBeLessThanOrEqual(4);
  await Promise.all(Array.from({ length: 20 }, () => source.account(account)));
  // The first caller's head is read before the others ask.
  expect(counts.account).toBeLessThanOrEqual(2);
  await source.close();
});

describe("the start ends with one line", () => {
  test("without an index, with another network in a replica, without a server, and without a replica's database", async () => {
    const empty = await server.createDatabase();
    const foreign = await server.createDatabase();
    const strange = `${folder.path}/strange`;
    await createChain(strange, { seed: 9, accounts: 20 });
    await using _ = await indexOf(chainSteps(strange), foreign);
    const cases = [
      [empty, /^chain-query-server: .*the database has no index: run chain-query-indexer migrate\n$/],
      [
        `${index.url},${foreign}`,
        /^chain-query-server: --postgres: replica 1 must hold the chain of the primary, got another network\n$/,
      ],
      [
        "postgres://me:hunter2@127.0.0.1:1/chain",
        /^chain-query-server: PostgreSQL at postgres:\/\/me@127.0.0.1:1\/chain: .*\n$/,
      ],
      [
        `${index.url},${index.url}?colour=red`,
        /^chain-query-server: a parameter of the database URL must be one of host, sslmode, sslrootcert, got "colour"\n$/,
      ],
      // A replica that is away may come back; this one is a mistake.
      [`${index.url},${server.urlOf("absent")}`, /^chain-query-server: .* database "absent" does not exist \(3D000\)\n$/],
    ] as const;
    for (const [urls, line] of cases) {
      const { code, stderr } = await startWith({ CHAIN_QUERY_POSTGRES: urls }, "--port", "0", "--log-level", "silent").exit;
      expect(stderr).toMatch(line);
      expect(code).toBe(2);
    }
  });
});

test("passwords are in no log, no page, no metric, and no process list", async () => {
  const url = index.url.replace("postgres@", "postgres:hunter2@");
  const variables = { CHAIN_QUERY_POSTGRES: url, CHAIN_QUERY_POSTGRES_ARCHIVE: url };
  await using command = startWith(variables, "--port", "0", "--workers", "2", "--keyless-rate", "0", "--log-level", "debug");
  const base = await command.url;
  expect(await headOf(base)).toBeGreaterThan(0);
  const pages = await Promise.all(["/status.json", "/metrics", "/"].map(async (path) => (await fetch(base + path)).text()));
  expect(pages.join()).toContain("primary");
  const commands = readdirSync("/proc").flatMap((pid) => (/^\d+$/.test(pid) ? commandOf(pid) : []));
  expect(commands.some((line) => line.includes("worker.ts"))).toBe(true);
  expect([...pages, ...commands, JSON.stringify(command.log())].filter((text) => text.includes("hunter2"))).toEqual([]);
});

/** Sends a signal to a process that may have ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function childrenOf(parent: number): number[] {
  return readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").split(" ").filter(Boolean).map(Number);
}

function commandOf(pid: string): string[] {
  try {
    return [readFileSync(`/proc/${pid}/cmdline`, "utf8")];
  } catch {
    return [];
  }
}
