/** Readers of an index that is damaged, moved to another address or restarted. */
import { setTimeout as sleep } from "node:timers/promises";
import { type AccountId, accountKey, transactionRecord } from "@chain-query/format/store";
import { SMALL } from "@chain-query/testing/chains";
import { sharedPostgres } from "@chain-query/testing/services";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { query } from "../src/database/client.ts";
import { openPostgresReader, type PostgresConnection, type PostgresReader, type PostgresStoreError } from "../src/index.ts";
import {
  copiedIndex,
  emptyDatabase,
  newIndex,
  openTestReader,
  producedSteps,
  type ReadChain,
  STEPS,
  startReadChain,
  withDatabase,
} from "./indexed-chains.ts";

let read: ReadChain;
beforeAll(async () => {
  read = await startReadChain();
});
afterAll(() => read?.[Symbol.asyncDispose]());

describe("a changed record is damage", () => {
  const changes = {
    "a flipped bit":
      "UPDATE transactions SET record = set_byte(record, 40, get_byte(record, 40) # 1) WHERE account = $1 AND lt = $2",
    "the record of another transaction":
      "UPDATE transactions SET record = (SELECT record FROM transactions WHERE account <> $1 ORDER BY lt LIMIT 1) " +
      "WHERE account = $1 AND lt = $2",
    "a missing row": "DELETE FROM transactions WHERE account = $1 AND lt = $2",
  };

  test("a flipped bit, another record, a missing row", async () => {
    const changed = await copiedIndex(read.steps);
    const other = openTestReader(changed);
    const histories = read.accounts.map((account) => ({ account, history: [...read.chain.transactions(account)] }));
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

  test("a forged record with a valid checksum, in one of 32 reads", async () => {
    const changed = await copiedIndex(read.steps);
    const [one, another] = read.transactions;
    if (one === undefined || another === undefined) expect.unreachable();
    await withDatabase(changed, async (sql) => {
      const key = [accountKey(one.account), one.id.lt];
      const [row] = await query<{ record: Buffer }>(sql, "SELECT record FROM transactions WHERE account = $1 AND lt = $2", key);
      const stored = transactionRecord.decode(row?.record ?? expect.unreachable());
      const forged = transactionRecord.encode({ ...stored, data: another.data });
      await query(sql, "UPDATE transactions SET record = $3 WHERE account = $1 AND lt = $2", [...key, forged]);
    });
    const other = openTestReader(changed);
    const problems: unknown[] = [];
    for (let count = 0; count < 32; count++)
      await other
        .transactions(one.account, { fromLt: one.id.lt, aboveLt: one.id.lt - 1n }, 1, STEPS)
        .catch((error: PostgresStoreError) => problems.push([error.kind, error.message]));
    expect(problems).toEqual([["damaged", `the index is damaged: transaction ${one.id.lt} has another hash`]]);
    await other.close();
  });
});

test("a database without an index and an absent server have different errors", async () => {
  const kindOf = async (url: string) => {
    const other = openPostgresReader({ url });
    const error = await other.chain().catch((reason: unknown) => reason);
    await other.close();
    return error;
  };
  expect(await kindOf((await emptyDatabase()).url)).toMatchObject({ kind: "schema" });
  const absent = await kindOf("postgres://me:secret@127.0.0.1:1/chain");
  expect(absent).toMatchObject({ kind: "unreachable" });
  expect(String(absent)).not.toContain("secret");
});

describe("an address that leads to another database from one statement to the next", () => {
  test("without some steps: reads as of a missing step fail", async () => {
    const [whole, lacking] = [await newIndex(read.steps), await newIndex(read.steps, STEPS - 3)];
    const moved = openTestReader(whole);
    const account =
      read.transactions.find(({ masterchainSeqno }) => masterchainSeqno > STEPS - 3)?.account ?? expect.unreachable();
    await load(moved, account);
    await replace(whole, lacking);
    const kinds = await load(moved, account);
    expect(new Set(kinds)).toEqual(new Set(["behind"]));
    expect((await moved.head()).block.id.seqno).toBe(STEPS - 3);
    const expected = [...read.chain.transactions(account)].filter(({ masterchainSeqno }) => masterchainSeqno <= STEPS - 3);
    const { lt } = (await moved.account(account, STEPS - 3)).last;
    expect(await moved.transactions(account, { fromLt: lt, aboveLt: 0n }, 100, STEPS - 3)).toEqual(expected);
    await moved.close();
  });

  test("of another network: all reads fail", async () => {
    const [own, other] = [await newIndex(read.steps), await newIndex(await producedSteps(SMALL), 0)];
    const moved = openTestReader(own);
    const [account] = read.accounts;
    if (!account) throw new Error("the chain has no account");
    await load(moved, account);
    await replace(own, other);
    expect(new Set(await load(moved, account))).toEqual(new Set(["other-chain"]));
    await expect(moved.head()).rejects.toMatchObject({ kind: "other-chain" });
    await expect(moved.chain()).rejects.toMatchObject({ kind: "other-chain" });
    await moved.close();
  });

  /** Asks on all connections, and again while there is no connection. Returns the kinds of errors. */
  async function load(from: PostgresReader, account: AccountId): Promise<string[]> {
    const shard = read.chain.head().block.id;
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
    await withDatabase({ url: (await sharedPostgres()).urlOf("postgres") }, async (sql) => {
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
