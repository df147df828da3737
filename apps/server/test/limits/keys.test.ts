import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { open } from "lmdb";
import { describe, expect, test } from "vitest";
import { StartError } from "../../src/failure.ts";
import { openKeyReader, openKeyStore } from "../../src/limits/keys.ts";
import { testChain } from "../fixtures/chain.ts";
import { temporaryFolder } from "../fixtures/service.ts";

const openError = (folder: string, open: (folder: string) => unknown = openKeyStore): string => {
  try {
    open(folder);
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  return "opened";
};

const makeLockFile = (folder: string): void => {
  mkdirSync(folder);
  writeFileSync(join(folder, "data.mdb-lock"), "");
};

describe("the keys", () => {
  test("are found by their exact text, also after the store was closed", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "keys");
    const store = openKeyStore(path);
    const { text, record } = await store.add("alice", { rate: 7, network: "main" });
    expect(text).toMatch(/^cq_[0-9a-f]{12}_[\w-]{43}$/);
    await store.close();
    const again = openKeyStore(path);
    expect(again.find(text)).toEqual(record);
    expect(again.find(text.replace(record.id, "000000000000"))).toBeUndefined();
    expect(again.find(`${text.slice(0, -2)}AA`)).toBeUndefined();
    expect(again.list()).toEqual([{ id: record.id, owner: "alice", rate: 7, network: "main", created: record.created }]);
    expect([await again.revoke(record.id), await again.revoke(record.id)]).toEqual(["revoked", "unknown"]);
    expect(again.list()).toEqual([]);
    await again.close();
  });

  test("are not on disk", async () => {
    using folder = temporaryFolder();
    const store = openKeyStore(folder.path);
    const { text } = await store.add("alice", { rate: 1 });
    await store.close();
    // The secret may contain the separator itself.
    const secret = text.split("_").slice(2).join("_");
    expect(secret.length).toBeGreaterThan(20);
    for (const file of readdirSync(folder.path)) expect(readFileSync(join(folder.path, file)).includes(secret)).toBe(false);
  });

  test("are visible to another open store at once, and so is that they were revoked", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "keys");
    const [one, other] = [openKeyStore(path), openKeyStore(path)];
    const { text, record } = await one.add("alice", { rate: 1 });
    expect(other.find(text)?.id).toBe(record.id);
    // In the same tick of the event loop.
    const root = open({ path: join(path, "data.mdb"), maxDbs: 2 });
    root.openDB({ name: "keys" }).removeSync(record.id);
    expect(other.find(text)).toBeUndefined();
    await Promise.all([one.close(), other.close(), root.close()]);
  });

  test.each([
    ["is absent", () => {}, false],
    ["is empty", mkdirSync, true],
    ["holds the file that LMDB creates first", makeLockFile, true],
  ])("are read while their folder %s, which stays so, and are found once there are some", async (_, make, exists) => {
    using folder = temporaryFolder();
    const path = join(folder.path, "keys");
    make(path);
    const before = exists ? readdirSync(path) : [];
    const reader = openKeyReader(path);
    expect([reader.find(`cq_${"0".repeat(12)}_${"A".repeat(43)}`), reader.list()]).toEqual([undefined, []]);
    expect(existsSync(path)).toBe(exists);
    if (exists) expect(readdirSync(path)).toEqual(before);
    const store = openKeyStore(path);
    const { text, record } = await store.add("alice", { rate: 1 });
    expect([reader.find(text), reader.list()]).toEqual([record, [record]]);
    await Promise.all([reader.close(), store.close()]);
  });

  test("are read from a store that has no table yet", async () => {
    using folder = temporaryFolder();
    const root = open({ path: join(folder.path, "data.mdb"), maxDbs: 2 });
    const reader = openKeyReader(folder.path);
    expect(reader.list()).toEqual([]);
    root.putSync("format", 1);
    expect(reader.list()).toEqual([]);
    await Promise.all([reader.close(), root.close()]);
  });

  test.each([
    ["a file", (path: string) => writeFileSync(path, "x"), "expected a folder, found a file"],
    [
      "a folder of something else",
      (path: string) => {
        mkdirSync(path);
        writeFileSync(join(path, "photo.jpg"), "x");
      },
      "the folder holds photo.jpg and no keys; expected a key store, or an empty or new folder",
    ],
    [
      "a file that is not LMDB",
      (path: string) => {
        mkdirSync(path);
        writeFileSync(join(path, "data.mdb"), "x".repeat(20_000));
      },
      "PATH/data.mdb is not an LMDB data file",
    ],
    [
      "a folder where the file should be",
      (path: string) => mkdirSync(join(path, "data.mdb"), { recursive: true }),
      "PATH/data.mdb cannot be read: it is a folder",
    ],
    [
      "an LMDB file of something else",
      (path: string) => {
        mkdirSync(path);
        cpSync(join(testChain, "chain.mdb"), join(path, "data.mdb"));
      },
      "data.mdb is not a key store",
    ],
    [
      "an empty file",
      (path: string) => {
        mkdirSync(path);
        writeFileSync(join(path, "data.mdb"), "");
      },
      "PATH/data.mdb is not an LMDB data file",
    ],
  ])("are refused in %s", (_, make, error) => {
    using folder = temporaryFolder();
    const path = join(folder.path, "keys");
    make(path);
    const message = `keys ${path}: ${error.replace("PATH", path)}`;
    expect([openError(path), openError(path, openKeyReader)]).toEqual([message, message]);
  });

  test.runIf(process.platform === "linux")("are refused if the folder cannot be created", () => {
    expect(openError("/proc/chain-query/keys")).toMatch(/^keys \/proc\/chain-query\/keys: ENOENT/);
  });

  test("leave an LMDB file of another program unchanged", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "data.mdb");
    cpSync(join(testChain, "chain.mdb"), file);
    const before = readFileSync(file);
    openError(folder.path);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test("are refused in a truncated store", async () => {
    using folder = temporaryFolder();
    const store = openKeyStore(folder.path);
    await store.add("alice", { rate: 1 });
    await store.close();
    truncateSync(join(folder.path, "data.mdb"), 9000);
    expect(openError(folder.path)).toContain("data.mdb is cut off");
  });
});
