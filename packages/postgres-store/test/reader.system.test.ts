import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import {
  type AccountId,
  accountKey,
  type BlockHeader,
  type MessageKey,
  type Transaction,
  transactionRecord,
} from "@chain-query/chain-store";
import { type ChainReader, chainSteps, createChain, openChain, openProducer } from "@chain-query/local-chain";
import { type PostgresServer, startPostgres } from "@chain-query/test-services";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { query } from "../src/connection.ts";
import {
  migrate,
  openPostgresReader,
  openPostgresWriter,
  type PostgresConnection,
  type PostgresReader,
  PostgresStoreError,
} from "../src/index.ts";
import { withDatabase } from "./indexes.ts";

const STEPS = 24;
/** Small blocks in four shards: messages wait. One block a day: accounts freeze and are deleted. */
const OPTIONS = { seed: 3, accounts: 60, rate: 60, blockInterval: 86_400, shards: 4, transactionLimit: 30 } as const;

const folder = mkdtempSync(join(tmpdir(), "chain-query-reader-"));
let server: PostgresServer;
let chain: ChainReader;
let reader: PostgresReader;
let connection: PostgresConnection;
/** Every account that any message names, and their transactions. */
let accounts: readonly AccountId[];
let transactions: readonly Transaction[];

beforeAll(async () => {
  const produce = async () => {
    await createChain(folder, OPTIONS);
    const producer = await openProducer(folder);
    await producer.steps(Array.from({ length: STEPS }, () => ({})));
    await producer.close();
  };
  [server] = await Promise.all([startPostgres(), produce()]);
  connection = await indexed(folder);
  chain = openChain(folder);
  reader = openPostgresReader(connection);
  accounts = await accountsOf(folder);
  transactions = accounts.flatMap((account) => [...chain.transactions(account)]);
});
afterAll(async () => {
  await reader?.close();
  await chain?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function indexed(from: string, to = STEPS): Promise<PostgresConnection> {
  const written = { url: await server.createDatabase() };
  await migrate(written);
  const [source, writer] = [chainSteps(from), await openPostgresWriter(written)];
  await writer.begin(await source.genesis());
  for await (const step of source.steps({ from: 1, to }, new AbortController().signal)) await writer.write([step]);
  await Promise.all([source.close(), writer.close()]);
  return written;
}

async function accountsOf(from: string): Promise<AccountId[]> {
  const source = chainSteps(from);
  const found = new Map<string, AccountId>();
  const add = (account: AccountId) => found.set(`${account.workchain}:${Buffer.from(account.hash).toString("hex")}`, account);
  for await (const { account } of (await source.genesis()).accounts()) add(account);
  for await (const { accounts: changed } of source.steps({ from: 1, to: STEPS }, new AbortController().signal))
    for (const { account } of changed) add(account);
  await source.close();
  return [...found.values()];
}

describe("as of every head, the reader knows what the LMDB store knew", () => {
  const heads = [0, 1, 2, 7, STEPS - 1, STEPS];

  test.each(heads)("accounts and their histories at %d", async (at) => {
    for (const account of accounts) {
      const { block: _, account: __, ...expected } = chain.account(account, at) ?? expect.unreachable();
      expect(await reader.account(account, at)).toEqual(expected);
      const { lt } = expected.last;
      const history = lt === 0n ? [] : [...chain.transactions(account, { fromLt: lt })].slice(0, 7);
      expect(await reader.transactions(account, { aboveLt: 0n }, 7, at)).toEqual(history);
    }
  });

  test.each(heads)("both ends of every message at %d", async (at) => {
    const visible = <T extends { readonly masterchainSeqno: number }>(one: T | undefined) =>
      one && one.masterchainSeqno <= at ? one : undefined;
    for (const message of messages()) {
      const { producer, consumer } = chain.locate(message);
      expect(await reader.findSender(message, at)).toEqual(visible(producer));
      expect(await reader.findReceiver(message, at)).toEqual(visible(consumer));
    }
  });

  test.each(heads)("blocks by number, logical time and time at %d", async (at) => {
    const shards = chain.shards();
    for (const { id } of shards) {
      for (let seqno = 0; seqno <= id.seqno + 1; seqno++) {
        const block = seqno === 0 ? undefined : chain.block(id, { seqno });
        const [lt, time] = [block?.endLt ?? 0n, block?.time ?? 0];
        const selectors = [{ seqno }, { lt }, { lt: lt + 1n }, { time }, { time: time + 1 }] as const;
        for (const selector of selectors) {
          const expected = chain.block(id, selector);
          expect(await reader.block(id, selector, at)).toEqual(isAt(expected, at) ? expected : undefined);
        }
      }
    }
  });

  function isAt(block: BlockHeader | undefined, at: number): boolean {
    return block !== undefined && block.masterchainSeqno <= at;
  }

  /** Every fifth message between accounts, and one that does not exist. */
  function messages(): MessageKey[] {
    const sent = transactions.flatMap(({ outMessages }) =>
      outMessages.flatMap(({ source, destination, createdLt }) =>
        source && destination ? [{ source, destination, createdLt }] : [],
      ),
    );
    return sent.filter((_, index) => index % 5 === 0).flatMap((one) => [one, { ...one, createdLt: one.createdLt + 1n }]);
  }
});

test("the head and the chain are those of the LMDB store", async () => {
  const head = await reader.head();
  expect({ block: head.block, transactionCount: head.transactionCount }).toEqual(chain.head());
  expect(head.shards).toEqual(chain.shards());
  expect((await reader.chain()).masterchain).toEqual(chain.genesis().block);
  expect(await reader.head()).toBe(head);
});

test("numbers that the database cannot hold find nothing", async () => {
  const [account] = accounts;
  if (!account) throw new Error("the chain has no account");
  const huge = 2n ** 64n - 1n;
  expect(await reader.transactions(account, { fromLt: huge, aboveLt: 0n }, 5, STEPS)).toEqual([]);
  expect(await reader.transactions(account, { aboveLt: huge }, 5, STEPS)).toEqual([]);
  const message = { source: account, destination: account, createdLt: huge };
  expect([await reader.findSender(message, STEPS), await reader.findReceiver(message, STEPS)]).toEqual([undefined, undefined]);
  const shard = chain.head().block.id;
  for (const selector of [{ seqno: 2 ** 32 - 1 }, { lt: huge }, { time: 2 ** 32 - 1 }])
    expect(await reader.block(shard, selector, STEPS)).toBeUndefined();
});

describe("a record that is not what was written is damage", () => {
  const changes = {
    "a flipped bit":
      "UPDATE transactions SET record = set_byte(record, 40, get_byte(record, 40) # 1) WHERE account = $1 AND lt = $2",
    "the record of another transaction":
      "UPDATE transactions SET record = (SELECT record FROM transactions WHERE account <> $1 ORDER BY lt LIMIT 1) " +
      "WHERE account = $1 AND lt = $2",
    "a missing row": "DELETE FROM transactions WHERE account = $1 AND lt = $2",
  };

  test("a flipped bit, another record, a missing row", async () => {
    const changed = await indexed(folder);
    const other = openPostgresReader(changed);
    const histories = accounts.map((account) => ({ account, history: [...chain.transactions(account)] }));
    const long = histories.filter(({ account, history }) => account.workchain === 0 && history.length > 3).values();
    for (const [what, change] of Object.entries(changes)) {
      const { account, history } = long.next().value ?? expect.unreachable();
      const { id } = history[2] ?? expect.unreachable();
      await withDatabase(changed, (sql) => query(sql, change, [accountKey(account), id.lt]));
      const read = other.transactions(account, { aboveLt: 0n }, 10, STEPS);
      await expect(read, what).rejects.toMatchObject({ name: "PostgresStoreError", kind: "damaged" });
      expect(await other.transactions(account, { aboveLt: id.lt }, 10, STEPS)).toHaveLength(2);
    }
    await other.close();
  });

  test("a record with a right checksum that someone made, in one of 32 reads", async () => {
    const changed = await indexed(folder);
    const [one, another] = transactions;
    if (one === undefined || another === undefined) expect.unreachable();
    await withDatabase(changed, async (sql) => {
      const key = [accountKey(one.account), one.id.lt];
      const [row] = await query<{ record: Buffer }>(sql, "SELECT record FROM transactions WHERE account = $1 AND lt = $2", key);
      const stored = transactionRecord.decode(row?.record ?? expect.unreachable());
      const forged = transactionRecord.encode({ ...stored, data: another.data });
      await query(sql, "UPDATE transactions SET record = $3 WHERE account = $1 AND lt = $2", [...key, forged]);
    });
    const other = openPostgresReader(changed);
    const problems: unknown[] = [];
    for (let count = 0; count < 32; count++)
      await other
        .transactions(one.account, { fromLt: one.id.lt, aboveLt: one.id.lt - 1n }, 1, STEPS)
        .catch((error: PostgresStoreError) => problems.push([error.kind, error.message]));
    expect(problems).toEqual([["damaged", `the index is damaged: transaction ${one.id.lt} has another hash`]]);
    await other.close();
  });
});

test("the record of a head that did not move is not sent again", async () => {
  const own = await indexed(folder);
  const other = openPostgresReader(own);
  const head = await other.head();
  await withDatabase(own, (sql) => sql`UPDATE head SET record = ''`);
  expect(await other.head()).toBe(head);
  await withDatabase(own, (sql) => sql`UPDATE head SET seqno = seqno + 1`);
  await expect(other.head()).rejects.toMatchObject({ kind: "damaged" });
  await other.close();
});

test("a database without an index, and a server that is not there, have different errors", async () => {
  const kindOf = async (url: string) => {
    const other = openPostgresReader({ url });
    const error = await other.chain().catch((reason: unknown) => reason);
    await other.close();
    return error;
  };
  expect(await kindOf(await server.createDatabase())).toMatchObject({ kind: "schema" });
  const away = await kindOf("postgres://me:secret@127.0.0.1:1/chain");
  expect(away).toMatchObject({ kind: "unreachable" });
  expect(String(away)).not.toContain("secret");
});

describe("an address that leads to another database from one statement to the next", () => {
  test("which lacks steps: nothing is read as of a step that it does not have", async () => {
    const [whole, lacking] = [await indexed(folder), await indexed(folder, STEPS - 3)];
    const moved = openPostgresReader(whole);
    const account = transactions.find(({ masterchainSeqno }) => masterchainSeqno > STEPS - 3)?.account ?? expect.unreachable();
    await load(moved, account);
    await replace(whole, lacking);
    const kinds = await load(moved, account);
    expect(new Set(kinds)).toEqual(new Set(["behind"]));
    expect((await moved.head()).block.id.seqno).toBe(STEPS - 3);
    const expected = [...chain.transactions(account)].filter(({ masterchainSeqno }) => masterchainSeqno <= STEPS - 3);
    const { lt } = (await moved.account(account, STEPS - 3)).last;
    expect(await moved.transactions(account, { fromLt: lt, aboveLt: 0n }, 100, STEPS - 3)).toEqual(expected);
    await moved.close();
  });

  test("of another network: nothing is read", async () => {
    const strange = mkdtempSync(join(tmpdir(), "chain-query-reader-"));
    await createChain(strange, { ...OPTIONS, seed: 4 });
    const [own, foreign] = [await indexed(folder), await indexed(strange, 0)];
    rmSync(strange, { recursive: true });
    const moved = openPostgresReader(own);
    const [account] = accounts;
    if (!account) throw new Error("the chain has no account");
    await load(moved, account);
    await replace(own, foreign);
    expect(new Set(await load(moved, account))).toEqual(new Set(["foreign"]));
    await expect(moved.head()).rejects.toMatchObject({ kind: "foreign" });
    await expect(moved.chain()).rejects.toMatchObject({ kind: "foreign" });
    await moved.close();
  });

  /** Asks on all connections, and again while there is no connection. Returns the kinds of errors. */
  async function load(from: PostgresReader, account: AccountId): Promise<string[]> {
    const shard = chain.head().block.id;
    const ask = async (): Promise<string[]> => {
      const asked = [
        from.account(account, STEPS),
        from.transactions(account, { aboveLt: 0n }, 5, STEPS),
        from.block(shard, { seqno: STEPS - 5 }, STEPS),
      ];
      const outcomes = await Promise.allSettled(asked);
      const kinds = outcomes.map((one) => (one.status === "fulfilled" ? "answered" : String(one.reason.kind)));
      if (!kinds.includes("unreachable")) return kinds;
      await sleep(60);
      return [...kinds.filter((kind) => kind !== "unreachable"), ...(await ask())];
    };
    return (await Promise.all([ask(), ask(), ask()])).flat();
  }

  /** Ends the connections to a database, and gives its name to another one. */
  async function replace({ url }: PostgresConnection, other: PostgresConnection): Promise<void> {
    const [name, next] = [url, other.url].map((one) => new URL(one).pathname.slice(1));
    await withDatabase({ url: server.urlOf("postgres") }, async (sql) => {
      await sql.unsafe(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname IN (${String(name)}, ${String(next)})`;
      const renamed = async (): Promise<void> => {
        try {
          await sql.unsafe(`ALTER DATABASE ${name} RENAME TO old_${name}`);
        } catch {
          await sleep(20);
          await renamed();
        }
      };
      await renamed();
      await sql.unsafe(`ALTER DATABASE ${next} RENAME TO ${name}`);
    });
  }
});

test.each(["fast", "immediate"] as const)("after a restart (%s) it reads on, and leaves no connection behind", async (mode) => {
  const [account] = accounts;
  if (!account) throw new Error("the chain has no account");
  const expected = [...chain.transactions(account)].slice(0, 5);
  let [isRestarting, wrong] = [true, 0];
  const load = async () => {
    for (let right = 0; isRestarting || right < 20; ) {
      const found = await reader.transactions(account, { aboveLt: 0n }, 5, STEPS).catch((error: unknown) => error);
      if (found instanceof PostgresStoreError) {
        // A server that recovers for a while is slow.
        expect(["unreachable", "slow"]).toContain(found.kind);
        right = 0;
      } else if (isDeepStrictEqual(found, expected)) right += 1;
      else wrong += 1;
      await sleep(2);
    }
  };
  const loads = Array.from({ length: 8 }, load);
  await sleep(50);
  await server.restart(mode);
  isRestarting = false;
  await Promise.all(loads);
  expect(wrong).toBe(0);
  expect(await server.connections(connection.url)).toBeLessThanOrEqual(2);
});
