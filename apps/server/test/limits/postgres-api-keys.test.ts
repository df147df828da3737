import type { ApiKeyRow, Databases, PostgresReader } from "@chain-query/postgres-store";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HttpError } from "../../src/failure.ts";
import type { ApiKeyRecord } from "../../src/limits/api-keys.ts";
import { makeApiKey } from "../../src/limits/api-keys.ts";
import { PostgresApiKeys } from "../../src/limits/postgres-api-keys.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const { signal } = new AbortController();
const tooMany = new HttpError(429, "too many requests with an unknown API key");
const refuse = (): never => {
  throw tooMany;
};

/** The keys of an instance, and a table to read them from. */
function instance() {
  const rows = new Map<string, ApiKeyRow>();
  const problems: (string | undefined)[] = [];
  const table = {
    reads: 0,
    /** Milliseconds that a read takes. */
    delay: 0,
    isReachable: true,
    problems,
    add(owner: string) {
      const { id, hash, text } = makeApiKey();
      rows.set(id, { id, secretHash: hash, owner, rate: 5, created: 1 });
      return { id, text };
    },
    revoke: (id: string) => rows.delete(id),
  };
  const findKey: PostgresReader["findKey"] = async (id) => {
    table.reads++;
    const row = rows.get(id);
    if (table.delay > 0) await new Promise((resolve) => setTimeout(resolve, table.delay));
    if (!table.isReachable) throw new Error("connection refused");
    return row;
  };
  const readAny: Databases["readAny"] = (read) => read({ findKey } as PostgresReader, "primary");
  const keys = new PostgresApiKeys({ databases: { readAny }, onChange: (problem) => problems.push(problem) });
  const look = async (text: string, beforeRead = (): void => {}, ended = signal): Promise<ApiKeyRecord | undefined> =>
    keys.find(text, beforeRead, ended);
  const find = async (text: string, beforeRead?: () => void) => (await look(text, beforeRead))?.owner;
  return { table, look, find };
}

test("finds a key as soon as it is added, by its exact text", async () => {
  const { table, look, find } = instance();
  const { id, text } = table.add("alice");
  expect(await look(text)).toEqual({ id, owner: "alice", rate: 5, created: 1 });
  expect(await find(`${text.slice(0, -2)}AA`)).toBeUndefined();
  expect(await find(text.replace(id, "000000000000"))).toBeUndefined();
  expect(await find("unknown")).toBeUndefined();
  expect(await find(table.add("bob").text)).toBe("bob");
});

test.each([0, 1_900])(
  "refuses a revoked key within five seconds, also if reads take %i ms, and reads none more often",
  async (delay) => {
    const { table, find } = instance();
    table.delay = delay;
    const { id, text } = table.add("alice");
    const first = find(text);
    // The read has seen the row already.
    table.revoke(id);
    await vi.advanceTimersByTimeAsync(delay);
    expect(await first).toBe("alice");
    await vi.advanceTimersByTimeAsync(2_900 - delay);
    expect(await find(text)).toBe("alice");
    expect(table.reads).toBe(1);
    await vi.advanceTimersByTimeAsync(5_000 - 2_900 - delay);
    const last = find(text);
    await vi.advanceTimersByTimeAsync(delay);
    expect(await last).toBeUndefined();
    expect(table.reads).toBe(2);
  },
);

test("refuses with 503 a key whose read takes longer, since it may have been revoked meanwhile", async () => {
  const { table, find } = instance();
  table.delay = 2_100;
  const { text } = table.add("alice");
  const found = expect(find(text)).rejects.toMatchObject({ status: 503 });
  await vi.advanceTimersByTimeAsync(2_100);
  await found;
  table.delay = 0;
  expect(await find(text)).toBe("alice");
  expect(table.problems).toEqual(["a read took more than 2 s", undefined]);
});

test("reads a key once for all requests that need it then, although the first caller leaves", async () => {
  const { table, look, find } = instance();
  table.delay = 10;
  const { text } = table.add("alice");
  const gone = new AbortController();
  const found = [look(text, undefined, gone.signal), ...[text, `${text.slice(0, -2)}AA`, text].map((one) => find(one))];
  gone.abort();
  await vi.advanceTimersByTimeAsync(10);
  expect((await Promise.all(found)).slice(1)).toEqual(["alice", undefined, "alice"]);
  expect(table.reads).toBe(1);
});

test("does not read for a caller who has sent too many unknown keys, but for the owner of a key that was read before", async () => {
  const { table, find } = instance();
  const { text } = table.add("alice");
  await expect(find(text, refuse)).rejects.toBe(tooMany);
  expect(table.reads).toBe(0);
  expect(await find(text)).toBe("alice");
  await vi.advanceTimersByTimeAsync(4_000);
  await expect(find(`${text.slice(0, -2)}AA`, refuse)).rejects.toBe(tooMany);
  expect(await find(text, refuse)).toBe("alice");
  expect(table.reads).toBe(2);
});

test("refuses with 503 what no database confirms, never with 401, accepts a key of the last three seconds, and says so once", async () => {
  const { table, find } = instance();
  const [known, other] = [table.add("alice"), table.add("bob")];
  expect(await find(known.text)).toBe("alice");
  table.isReachable = false;
  const unavailable = { status: 503, headers: { "retry-after": "1" } };
  await expect(find(other.text)).rejects.toMatchObject(unavailable);
  expect(await find(known.text)).toBe("alice");
  await vi.advanceTimersByTimeAsync(4_000);
  await expect(find(known.text)).rejects.toMatchObject(unavailable);
  table.isReachable = true;
  expect([await find(known.text), await find(other.text)]).toEqual(["alice", "bob"]);
  expect(table.problems).toEqual(["connection refused", undefined]);
});
