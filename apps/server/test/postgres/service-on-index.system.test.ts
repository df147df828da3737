/** The service on an index: its statements, keys, and errors at the start. */

import { readdirSync, readFileSync } from "node:fs";
import type { Step, StepBlock, StepSource } from "@chain-query/format/store";
import { chainSteps, openChain } from "@chain-query/local-chain";
import { madeChain } from "@chain-query/local-chain/testing";
import { Databases, openSignedFork, postgresChainReader, ServedHead } from "@chain-query/postgres-store";
import { FROZEN, SMALL } from "@chain-query/testing/chains";
import { type PostgresDatabases, sharedPostgres } from "@chain-query/testing/services";
import { until } from "@chain-query/testing/until";
import postgres from "postgres";
import { beforeAll, expect, test } from "vitest";
import { accountsOf } from "../../fuzz/requests.ts";
import { TransactionPages } from "../../src/answer-cache/transaction-pages.ts";
import { type KeysCommand, parseArguments } from "../../src/command/arguments.ts";
import { runKeys } from "../../src/command/keys.ts";
import { RequestHead } from "../../src/request-head.ts";
import { ask, readinessOf } from "../fixtures/ask.ts";
import { busiestOf } from "../fixtures/chain.ts";
import { startWith } from "../fixtures/command.ts";
import { startLiteNetwork } from "../fixtures/lite-network.ts";
import { keyId, startService } from "../fixtures/service.ts";
import { headOf, indexedDatabase, indexOf, serviceOn } from "./indexed-chain.ts";

let server: PostgresDatabases;
/** The URL of an index that tests only read. */
let index: string;
/** The account with the longest history. */
let address: string;
beforeAll(async () => {
  server = await sharedPostgres();
  index = await indexedDatabase(server, SMALL);
  [address = ""] = await busiestOf(await madeChain(SMALL), 1);
});

test("an index has no proofs", async () => {
  await using service = await serviceOn(index);
  const { status, headers, body } = await ask(service.url, "getMasterchainInfo", {}, { prefer: "proof" });
  expect([status, headers.get("preference-applied"), "proof" in body]).toEqual([200, null, false]);
});

test("a record of two signed chains in the database ends all responses, until an operator deletes it", async () => {
  const url = await indexedDatabase(server, SMALL);
  await using service = await serviceOn(url);
  expect((await ask(service.url, "getMasterchainInfo")).status).toBe(200);
  const forks = openSignedFork({ url });
  await forks.write('{"seqno":7}');
  await forks.close();
  await until(async () => (await ask(service.url, "getMasterchainInfo")).status === 542);
  expect((await ask(service.url, "getTransactionsStd", { address, limit: 5 })).status).toBe(542);
  const removal =
    'validators have signed two chains: {"seqno":7}; when you know which chain is right, run DELETE FROM signed_fork';
  expect(await readinessOf(service.url)).toEqual([503, expect.stringContaining(removal)]);
  await using other = await serviceOn(url);
  expect((await ask(other.url, "getMasterchainInfo")).status).toBe(542);
  const sql = postgres(url, { max: 1 });
  await sql`DELETE FROM signed_fork`;
  await sql.end();
  for (const each of [service, other]) {
    await until(async () => (await ask(each.url, "getMasterchainInfo")).status === 200);
    await until(async () => (await fetch(`${each.url}/readyz`)).ok);
  }
});

test("an instance warns while it has no lite server, and ends its responses when these show that validators have signed two chains", async () => {
  const chain = { seed: 6, accounts: 10, shards: 1, validators: 4, keyBlocks: "none", blockInterval: 1 } as const;
  const right = { ...chain, rate: 1, steps: 4 };
  await using network = await startLiteNetwork(await madeChain(right), 1);
  const lite = { servers: network.config, archival: undefined, rate: 10_000 } as const;
  const source = { kind: "index", primary: await indexedDatabase(server, right), replicas: [], lite } as const;
  await using service = await startService({ source });
  const hasHead = async () =>
    (await (await fetch(`${service.url}/metrics`)).text()).includes("chain_query_lite_verified_head_age_seconds ");
  await until(async () => await hasHead());
  expect(await readinessOf(service.url)).toEqual([200, undefined]);
  await network.stop(0);
  const warned = await until(async () => {
    const [status, text] = await readinessOf(service.url);
    return text && [status, text];
  });
  expect(warned).toEqual([200, expect.stringMatching(/^no lite server is connected/)]);
  expect(await headOf(service.url)).toBe(right.steps);
  await network.start(0, await madeChain({ ...chain, rate: 2, steps: 6 }));
  await until(async () => (await ask(service.url, "getMasterchainInfo")).status === 542);
  const reason = expect.stringMatching(/^validators have signed two chains: block 6 of server/);
  expect(await readinessOf(service.url)).toEqual([503, reason]);
});

test("sizes of queues that the index does not have are a failure that says so", async () => {
  const local = chainSteps(await madeChain(SMALL));
  const unsized = (block: StepBlock): StepBlock => ({ ...block, queueSize: undefined });
  async function* steps(...args: Parameters<StepSource["steps"]>): AsyncGenerator<Step> {
    for await (const { masterchain, shards, accounts } of local.steps(...args))
      yield { masterchain: unsized(masterchain), shards: shards.map(unsized), accounts };
  }
  const url = await server.createDatabase();
  await using _index = await indexOf({ ...local, steps }, url);
  await using service = await serviceOn(url);
  const { status, body } = await ask(service.url, "getOutMsgQueueSize");
  const error = "the queue size of shard -9223372036854775808 of workchain -1 is not known yet, ask again later";
  expect([status, body.error]).toEqual([542, error]);
  expect((await ask(service.url, "getMasterchainInfo")).status).toBe(200);
});

test("a page is one statement", async () => {
  let statements = 0;
  const databases = new Databases({ primary: { url: index }, replicas: [] }, { onRead: () => statements++ });
  const indexed = await databases.primary.reader.chain();
  const served = new ServedHead(databases);
  const source = postgresChainReader({ databases, served, chain: indexed, close: () => databases.close() });
  const pages = new TransactionPages(source, 2 ** 20);
  const query = { limit: 100, aboveLt: 0n, archival: true };
  const { signal } = new AbortController();
  const reader = openChain(await madeChain(SMALL));
  const [account = expect.unreachable()] = accountsOf(reader);
  await reader.close();
  const count = async <Result>(ask: () => Promise<Result>): Promise<readonly [Result, number]> => {
    const before = statements;
    return [await ask(), statements - before];
  };
  // Also the partitions, and the codes of accounts, are read once.
  const [first] = await count(async () => pages.page(account, query, new RequestHead(source, signal)));
  await source.newestTransactions(account, 100, await source.head(signal), true, signal);
  const head = await source.head(signal);
  expect((await count(async () => source.newestTransactions(account, 100, head, true, signal)))[1]).toBe(1);
  expect(await count(async () => pages.page(account, query, new RequestHead(source, signal)))).toEqual([first, 1]);
  await source.close();
});

test("does not start without an index, with another network in a replica, and without a replica's database", async () => {
  const otherChain = await indexedDatabase(server, FROZEN, { last: 0 });
  const cases = [
    [await server.createDatabase(), [], /the database has no index: run chain-query-indexer migrate$/],
    [index, [otherChain], /^--postgres: replica 1 must hold the chain of the primary, got another network$/],
    [
      index,
      [`${index}?colour=red`],
      /^a parameter of the database URL must be one of host, sslmode, sslrootcert, got "colour"$/,
    ],
    // An unavailable replica may recover; this one is misconfigured.
    [index, [server.urlOf("absent")], / database "absent" does not exist \(3D000\)$/],
  ] as const;
  for (const [primary, replicas, message] of cases) {
    const source = { kind: "index", primary, replicas: [...replicas], startTimeout: 500 } as const;
    await expect(startService({ source })).rejects.toThrow(message);
  }
});

test("a key that is added to the index is listed and accepted at once, and refused after it was revoked", async () => {
  await using service = await serviceOn(index);
  const keys = async (...args: string[]): Promise<string> =>
    runKeys(parseArguments(["keys", ...args, "--postgres", index], {}) as KeysCommand);
  const key = (await keys("add", "carol", "--rate", "0")).trim();
  expect(await keys("list")).toMatch(new RegExp(`^${keyId(key)}  unlimited  any network  \\S+  carol$`, "m"));
  const status = async () => (await ask(service.url, "getMasterchainInfo", {}, { "x-api-key": key })).status;
  expect(await status()).toBe(200);
  expect(await keys("revoke", keyId(key))).toBe("");
  expect(await keys("revoke", keyId(key))).toBe("the key was revoked before\n");
  await expect(keys("revoke", "000000000000")).rejects.toThrow("expected an id that");
  await until(status, (found) => found === 401);
});

test("passwords are in no log, no page, no metric, and no process list", async () => {
  const url = index.replace("postgres@", "postgres:hunter2@");
  const variables = { CHAIN_QUERY_POSTGRES: url, CHAIN_QUERY_REDIS: "redis://:hunter2@127.0.0.1:1" };
  await using command = startWith(variables, "--port", "0", "--keyless-rate", "0", "--log-level", "debug");
  const base = await command.url;
  expect(await headOf(base)).toBeGreaterThan(0);
  const pages = await Promise.all(["/status.json", "/metrics", "/"].map(async (path) => (await fetch(base + path)).text()));
  expect(pages.join()).toContain("primary");
  await until(() => command.log().some(({ msg }) => String(msg).startsWith("Redis is unavailable")));
  const commands = readdirSync("/proc").flatMap((pid) => (/^\d+$/.test(pid) ? commandOf(pid) : []));
  expect(commands.some((line) => line.includes("chain-query-server"))).toBe(true);
  expect([...pages, ...commands, JSON.stringify(command.log())].filter((text) => text.includes("hunter2"))).toEqual([]);
});

function commandOf(pid: string): string[] {
  try {
    return [readFileSync(`/proc/${pid}/cmdline`, "utf8")];
  } catch {
    return [];
  }
}
