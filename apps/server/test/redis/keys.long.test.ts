import { setTimeout as delay } from "node:timers/promises";
import { Databases, openPostgresReader, type PostgresReader } from "@chain-query/postgres-store";
import { type PostgresServer, type RedisServer, startPostgres, startRedis } from "@chain-query/testing/services";
import { Redis } from "ioredis";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type KeysCommand, parseArguments } from "../../src/command/arguments.ts";
import { runKeys } from "../../src/command/keys.ts";
import { HttpError } from "../../src/failure.ts";
import { copyName } from "../../src/limits/key-copies.ts";
import type { FoundKey, KeyEditor, KeyRecord } from "../../src/limits/keys.ts";
import { openPostgresKeys, PostgresKeys } from "../../src/limits/postgres-keys.ts";
import { connectRedis } from "../../src/redis/connection.ts";
import { keyId } from "../fixtures/service.ts";
import { startWire } from "../fixtures/wire.ts";
import { indexedDatabase, smallChain } from "../postgres/indexed-chain.ts";

const started = await startRedis();
const reason = "reason" in started ? started.reason : undefined;
const redis = started as RedisServer;
let postgres: PostgresServer;
let url: string;
let editor: KeyEditor;
const warnings: string[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
  url = await indexedDatabase(postgres, smallChain, { last: 1 });
  editor = openPostgresKeys(url, reason === undefined ? { redis: redis.url, warn: (line) => warnings.push(line) } : undefined);
});
afterAll(async () => {
  await editor.close();
  await Promise.all([postgres.stop(), reason === undefined ? redis.stop() : undefined]);
});

const { signal } = new AbortController();

interface Instance {
  readonly look: (text: string, isRefused?: boolean, signal?: AbortSignal) => FoundKey | undefined;
  readonly find: (text: string, isRefused?: boolean) => Promise<string | undefined>;
  readonly likely: KeyRecord[];
  readonly problems: (string | undefined)[];
  isRedisReady(): boolean;
}

/** The key store of an instance. It is closed at the end of the test. */
async function instance(
  withRedis: boolean,
  changes: Partial<PostgresReader> = {},
  { primary = url, maxAge = 3_000 } = {},
): Promise<Instance> {
  const shared = withRedis ? await connectRedis(redis.url, 60, new Registry(), () => {}) : undefined;
  const databases = new Databases({ primary: { url: primary }, replicas: [] });
  const problems: (string | undefined)[] = [];
  const likely: KeyRecord[] = [];
  const keys = new PostgresKeys({
    databases: {
      readAny: (read) => databases.readAny((reader, name) => read({ ...reader, ...changes }, name)),
    },
    redis: shared,
    maxAge,
    onChange: (problem) => problems.push(problem),
  });
  onTestFinished(async () => {
    await Promise.all([keys.close(), databases.close(), shared?.close()]);
  });
  const look = (text: string, isRefused = false, ended: AbortSignal = signal) => {
    const refuse = () => {
      if (isRefused) throw new HttpError(429, "too many requests with an unknown API key");
    };
    return keys.find(text, refuse, ended);
  };
  const find = async (text: string, isRefused?: boolean) => {
    const found = look(text, isRefused);
    if (found?.likely !== undefined) likely.push(found.likely);
    return (await found?.confirmed)?.record?.owner;
  };
  return { likely, problems, look, find, isRedisReady: () => shared?.isReady === true };
}

/** Reads keys from a database. It ends with the test. */
function keyReader(from: string): PostgresReader {
  const reader = openPostgresReader({ url: from });
  onTestFinished(() => reader.close());
  return reader;
}

/** Waits until a key is refused. */
const untilRefused = ({ find }: Instance, text: string) => expect.poll(() => find(text)).toBeUndefined();

describe.skipIf(reason !== undefined)(
  `instances with PostgreSQL and Redis${reason === undefined ? "" : ` (${reason})`}`,
  () => {
    test("find a key as soon as it is added, and refuse it with the next request when it is revoked", async () => {
      const [one, two] = await Promise.all([instance(true), instance(true)]);
      const { text, record } = await editor.add("alice", { rate: 5, network: "chain" });
      expect([await one.find(text), await two.find(text), await one.find(text)]).toEqual(["alice", "alice", "alice"]);
      expect(await one.find(`${text.slice(0, -2)}AA`)).toBeUndefined();
      // Only the right secret counts under the limit of the key.
      expect(one.likely).toEqual([record]);
      expect(await one.find("unknown")).toBeUndefined();
      await editor.revoke(record.id);
      expect([await one.find(text), await two.find(text)]).toEqual([undefined, undefined]);
    });

    test("refuse a key whose copy is written while it is revoked", async () => {
      const { text, record } = await editor.add("alice", { rate: 5 });
      const real = keyReader(url);
      const slow = await instance(true, {
        findKey: async (id) => {
          const row = await real.findKey(id);
          await editor.revoke(record.id);
          return row;
        },
      });
      await slow.find(text);
      const other = await instance(true);
      expect([await other.find(text), await slow.find(text)]).toEqual([undefined, undefined]);
    });

    test("refuse a revoked key while Redis is killed, and after it was stopped", async () => {
      const some = await instance(true);
      const [first, second] = await Promise.all([editor.add("alice", { rate: 5 }), editor.add("bob", { rate: 5 })]);
      expect([await some.find(first.text), await some.find(second.text)]).toEqual(["alice", "bob"]);
      process.kill(redis.pid, "SIGSTOP");
      await editor.revoke(first.record.id);
      expect(warnings.splice(0)).toEqual([expect.stringContaining("Redis cannot be reached")]);
      await untilRefused(some, first.text);
      process.kill(redis.pid, "SIGCONT");
      // It has the key's copy of before.
      await expect.poll(() => some.isRedisReady()).toBe(true);
      expect(await some.find(first.text)).toBeUndefined();
      await redis.kill();
      expect(await some.find(second.text)).toBe("bob");
      await editor.revoke(second.record.id);
      await untilRefused(some, second.text);
      await redis.start();
      warnings.splice(0);
    });

    test("refuse a key that was revoked without telling Redis", async () => {
      const some = await instance(true);
      const { text, record } = await editor.add("alice", { rate: 5 });
      expect(await some.find(text)).toBe("alice");
      const silent = openPostgresKeys(url);
      await silent.revoke(record.id);
      await silent.close();
      await untilRefused(some, text);
    });

    test("keep refusing a revoked key when Redis becomes unavailable", async () => {
      const some = await instance(true, { revokedKeys: () => new Promise(() => {}) });
      const { text, record } = await editor.add("alice", { rate: 5 });
      expect(await some.find(text)).toBe("alice");
      await editor.revoke(record.id);
      expect(await some.find(text)).toBeUndefined();
      await redis.kill();
      expect(await some.find(text)).toBeUndefined();
      await redis.start();
    });

    test("refuse a key that is revoked again, when Redis did not receive the first revocation", async () => {
      const { text, record } = await editor.add("alice", { rate: 5 });
      const silent = openPostgresKeys(url);
      expect(await silent.revoke(record.id)).toBe("revoked");
      await silent.close();
      expect(await editor.revoke(record.id)).toBe("revoked before");
      const client = new Redis(redis.url);
      expect(await client.get(copyName(record.id))).toBe("revoked");
      client.disconnect();
      expect(await (await instance(true)).find(text)).toBeUndefined();
    });

    test("are revoked with a warning if Redis has no database of the number", async () => {
      const lines: string[] = [];
      const other = openPostgresKeys(url, { redis: `${redis.url}/99`, warn: (line) => lines.push(line) });
      const { record } = await other.add("alice", { rate: 5 });
      await other.revoke(record.id);
      await other.close();
      expect(lines).toEqual([expect.stringContaining("Redis cannot be reached")]);
    });

    test("use no copy that is not of the key, and do not keep one", async () => {
      const [alice, bob] = await Promise.all([editor.add("alice", { rate: 5 }), editor.add("bob", { rate: 5 })]);
      const some = await instance(true);
      expect(await some.find(bob.text)).toBe("bob");
      const client = new Redis(redis.url);
      const copyOfBob = (await client.get(copyName(bob.record.id))) ?? "missing";
      const short = JSON.stringify({ hash: "AAAA", record: alice.record });
      const wrong = [short, copyOfBob, copyOfBob.replace(bob.record.id, alice.record.id), "null", "{}"];
      for (const copy of wrong) {
        await client.set(copyName(alice.record.id), copy);
        // A copy with alice's id and bob's secret is well-formed: its writer can make keys, but breaks none beyond the copy's time.
        if (copy === wrong[2]) expect(await some.find(alice.text)).toBeUndefined();
        else expect(await some.find(alice.text)).toBe("alice");
        await client.del(copyName(alice.record.id));
        expect(await some.find(alice.text)).toBe("alice");
      }
      client.disconnect();
    });

    test("read a valid key for a caller who sends too many unknown ones", async () => {
      const some = await instance(true);
      const { text, record } = await editor.add("alice", { rate: 5 });
      expect(await some.find(text)).toBe("alice");
      const client = new Redis(redis.url);
      await client.del(copyName(record.id));
      client.disconnect();
      expect(await some.find(text, true)).toBe("alice");
    });

    test("respond with 503 to keys that no store can confirm, and never 401, while PostgreSQL is unavailable", async () => {
      // Longer than a busy machine needs to stop both.
      const some = await instance(true, {}, { maxAge: 8_000 });
      const [known, other] = await Promise.all([editor.add("alice", { rate: 5 }), editor.add("bob", { rate: 5 })]);
      expect(await some.find(known.text)).toBe("alice");
      await postgres.kill();
      const unavailable = { status: 503, headers: { "retry-after": "1" } };
      await expect(some.find(other.text)).rejects.toMatchObject(unavailable);
      expect(await some.find(known.text)).toBe("alice");
      await redis.kill();
      expect(await some.find(known.text)).toBe("alice");
      await expect.poll(() => some.find(known.text).catch((error: unknown) => error)).toMatchObject(unavailable);
      await Promise.all([postgres.start(), redis.start()]);
      await expect.poll(() => some.find(other.text).catch(() => "unavailable")).toBe("bob");
      expect(some.problems).toEqual([expect.any(String), undefined]);
    });

    test("find 300 keys after Redis was emptied", async () => {
      const some = await instance(true);
      const keys = await Promise.all(Array.from({ length: 300 }, (_, index) => editor.add(`owner ${index}`, { rate: 5 })));
      const expected = keys.map((_, index) => `owner ${index}`);
      expect(await Promise.all(keys.map(({ text }) => some.find(text)))).toEqual(expected);
      await redis.kill();
      await redis.start();
      await expect.poll(() => Promise.all(keys.map(({ text }) => some.find(text)))).toEqual(expected);
    });
  },
);

describe("instances with PostgreSQL alone", () => {
  test("refuse a revoked key", async () => {
    const some = await instance(false);
    const { text, record } = await editor.add("alice", { rate: 5 });
    expect(await some.find(text)).toBe("alice");
    await editor.revoke(record.id);
    await untilRefused(some, text);
  });

  test("find a key for a caller although another one leaves, for whom it is being read", async () => {
    const { text } = await editor.add("alice", { rate: 5 });
    const real = keyReader(url);
    const [held, gone] = [Promise.withResolvers<void>(), new AbortController()];
    let reads = 0;
    const findKey: PostgresReader["findKey"] = async (...asked) => {
      reads++;
      await held.promise;
      return real.findKey(...asked);
    };
    const some = await instance(false, { findKey });
    const [left, other] = [some.look(text, false, gone.signal), some.find(text)];
    left?.confirmed.catch(() => {});
    await expect.poll(() => reads).toBe(2);
    gone.abort();
    held.resolve();
    expect(await other).toBe("alice");
  });

  test("do not ask PostgreSQL for a caller who has sent too many unknown keys", async () => {
    const asked: string[] = [];
    const some = await instance(false, {
      findKey: async (id) => {
        asked.push(id);
        return undefined;
      },
    });
    const text = `cq_${"0".repeat(12)}_${"A".repeat(43)}`;
    await expect(some.find(text, true)).rejects.toMatchObject({ status: 429 });
    expect(await some.find(text)).toBeUndefined();
    expect(asked).toEqual(["0".repeat(12)]);
  });
});

describe("an instance whose connection to PostgreSQL leads nowhere", () => {
  test("finds keys over another one, and refuses a key that was revoked since, although its copy is in Redis", async () => {
    const wire = await startWire(Number(new URL(url).port));
    const some = await instance(reason === undefined, {}, { primary: wire.to(url) });
    const [known, other] = await Promise.all([editor.add("alice", { rate: 5 }), editor.add("bob", { rate: 5 })]);
    expect(await some.find(known.text)).toBe("alice");
    wire.lose();
    const silent = openPostgresKeys(url);
    await silent.revoke(known.record.id);
    await silent.close();
    await expect.poll(() => some.find(other.text).catch(() => "unavailable"), { timeout: 10_000 }).toBe("bob");
    await expect.poll(() => some.find(known.text).catch(() => "unavailable"), { timeout: 10_000 }).toBeUndefined();
  });

  test("accepts no key of which neither PostgreSQL nor a poll says that it is valid", async () => {
    const wire = await startWire(Number(new URL(url).port));
    const real = keyReader(wire.to(url));
    const asked: string[] = [];
    const findKey = (id: string) => {
      asked.push(id);
      return real.findKey(id);
    };
    const { revokedKeys } = real;
    const some = await instance(reason === undefined, { revokedKeys, findKey });
    const [known, other] = await Promise.all([editor.add("alice", { rate: 5 }), editor.add("bob", { rate: 5 })]);
    expect(await some.find(known.text)).toBe("alice");
    wire.freeze();
    const unavailable = { status: 503 };
    await expect(some.find(other.text)).rejects.toMatchObject(unavailable);
    const failure = () => some.find(known.text).catch((error: unknown) => error);
    await expect.poll(failure, { timeout: 10_000 }).toMatchObject(unavailable);
    await expect(some.find(other.text)).rejects.toMatchObject(unavailable);
    expect(new Set(asked)).toEqual(new Set([known.record.id, other.record.id]));
    wire.thaw();
    await expect.poll(() => some.find(known.text).catch(() => "unavailable"), { timeout: 10_000 }).toBe("alice");
    expect(some.problems).toEqual([expect.any(String), undefined]);
  });
});

test.skipIf(reason !== undefined)("the time of PostgreSQL is not taken from that of Redis", async () => {
  const real = keyReader(url);
  let inDatabase = 0;
  const some = await instance(true, {
    findKey: async (id) => {
      const begun = performance.now();
      await delay(50);
      const row = await real.findKey(id);
      inDatabase = performance.now() - begun;
      return row;
    },
  });
  const { text } = await editor.add("alice", { rate: 5 });
  const begun = performance.now();
  const confirmed = await some.look(text)?.confirmed;
  expect(confirmed?.record?.owner).toBe("alice");
  expect(confirmed?.waited).toBeLessThanOrEqual(performance.now() - begun - inDatabase);
});

test("the command adds, lists and revokes keys in the database", async () => {
  const keys = async (...args: string[]): Promise<string> => {
    const command = parseArguments(["keys", ...args, "--postgres", url], {});
    return runKeys(command as KeysCommand);
  };
  const id = keyId(await keys("add", "carol", "--rate", "7"));
  expect(await keys("list")).toMatch(new RegExp(`^${id}  7/s  any network  \\S+  carol$`, "m"));
  expect(await keys("revoke", id)).toBe("");
  expect(await keys("revoke", id)).toBe("the key was revoked before\n");
  await expect(keys("revoke", "000000000000")).rejects.toThrow("expected an id that");
});
