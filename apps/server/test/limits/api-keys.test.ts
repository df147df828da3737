import { closeSync, cpSync, existsSync, mkdirSync, openSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import { tryLock } from "fs-native-extensions";
import { describe, expect, test } from "vitest";
import { StartError } from "../../src/failure.ts";
import { openApiKeyReader, openApiKeyStore } from "../../src/limits/api-keys.ts";
import { temporaryFolder } from "../fixtures/service.ts";

const openError = (folder: string, open: (folder: string) => unknown = openApiKeyStore): string => {
  try {
    open(folder);
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  return "opened";
};

/** Makes a folder with a file. */
const withFile =
  (name: string, text: string) =>
  (folder: string): void => {
    mkdirSync(folder);
    writeFileSync(join(folder, name), text);
  };
const withKeys = (text: string) => withFile("keys.json", text);

describe("the keys", () => {
  test("are found by their exact text, also after the store was closed, in files of their owner alone", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "keys");
    const store = openApiKeyStore(path);
    const { text, record } = await store.add("alice", { rate: 7, network: "main" });
    expect(text).toMatch(/^cq_[0-9a-f]{12}_[\w-]{43}$/);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(path)) expect(statSync(join(path, name)).mode & 0o777, name).toBe(0o600);
    const again = openApiKeyStore(path);
    expect(again.find(text)).toEqual(record);
    expect(again.find(text.replace(record.id, "000000000000"))).toBeUndefined();
    expect(again.find(`${text.slice(0, -2)}AA`)).toBeUndefined();
    expect(again.list()).toEqual([{ id: record.id, owner: "alice", rate: 7, network: "main", created: record.created }]);
    expect([await again.revoke(record.id), await again.revoke(record.id)]).toEqual(["revoked", "unknown"]);
    expect(again.list()).toEqual([]);
  });

  test("that another process adds at the same time are kept", async () => {
    using folder = temporaryFolder();
    const [path, other] = ["keys", "other"].map((name) => join(folder.path, name));
    if (path === undefined || other === undefined) expect.unreachable();
    await openApiKeyStore(other).add("alice", { rate: 1 });
    const store = openApiKeyStore(path);
    const lock = openSync(join(path, "keys.json.lock"), "a");
    expect(tryLock(lock)).toBe(true);
    const adding = store.add("bob", { rate: 1 });
    for (let tick = 0; tick < 100; tick++) await nextTick();
    cpSync(join(other, "keys.json"), join(path, "keys.json"));
    closeSync(lock);
    await adding;
    expect(
      store
        .list()
        .map(({ owner }) => owner)
        .sort(),
    ).toEqual(["alice", "bob"]);
  });

  test.each([
    ["is absent", () => {}, false],
    ["is empty", mkdirSync, true],
    ["holds the lock of a first change", withFile("keys.json.lock", ""), true],
  ])("are read while their folder %s, which stays so, and are found once there are some", async (_, make, exists) => {
    using folder = temporaryFolder();
    const path = join(folder.path, "keys");
    make(path);
    const before = exists ? readdirSync(path) : [];
    const reader = openApiKeyReader(path);
    expect([reader.find(`cq_${"0".repeat(12)}_${"A".repeat(43)}`), reader.list()]).toEqual([undefined, []]);
    expect(existsSync(path)).toBe(exists);
    if (exists) expect(readdirSync(path)).toEqual(before);
    const store = openApiKeyStore(path);
    const { text, record } = await store.add("alice", { rate: 1 });
    expect([reader.find(text), reader.list()]).toEqual([record, [record]]);
  });

  test.each([
    ["a file", (path: string) => writeFileSync(path, "x"), "expected a folder, found a file"],
    [
      "a folder of something else",
      withFile("photo.jpg", "x"),
      "the folder holds photo.jpg and no keys; expected keys.json, or an empty or new folder",
    ],
    ["a file that is not JSON", withKeys('{"format": 1, "keys": ['), "keys.json is not JSON"],
    ["an empty file", withKeys(""), "keys.json is not JSON"],
    ["a file of another format", withKeys('{"format": 2}'), "keys.json: expected format 1, found 2"],
    ["a file of something else", withKeys("null"), "keys.json: expected format 1, found undefined"],
    [
      "a file with something else than keys",
      withKeys('{"format": 1, "keys": [null]}'),
      "keys.json: expected keys with id, hash, owner, rate and created",
    ],
    [
      "a folder where the file should be",
      (path: string) => mkdirSync(join(path, "keys.json"), { recursive: true }),
      "EISDIR: illegal operation on a directory, read",
    ],
  ])("are refused in %s", (_, make, error) => {
    using folder = temporaryFolder();
    const path = join(folder.path, "keys");
    make(path);
    const message = `keys ${path}: ${error}`;
    expect([openError(path), openError(path, openApiKeyReader)]).toEqual([message, message]);
  });

  test.runIf(process.platform === "linux")("are refused if the folder cannot be created", () => {
    expect(openError("/proc/chain-query/keys")).toMatch(/^keys \/proc\/chain-query\/keys: ENOENT/);
  });
});
