import { sharedPostgres } from "@chain-query/testing/services";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiKeyTable, migrate, openApiKeys } from "../src/index.ts";

let reader: ApiKeyTable;
let writer: ApiKeyTable;

beforeAll(async () => {
  const connection = { url: await (await sharedPostgres()).createDatabase() };
  await migrate(connection);
  reader = openApiKeys(connection, "reader");
  writer = openApiKeys(connection, "writer");
});
afterAll(() => Promise.all([reader?.close(), writer?.close()]));

const alice = { id: "4453aa152052", secretHash: new Uint8Array(32).fill(7), owner: "alice", rate: 50 };
const bob = { ...alice, id: "bbbbbbbbbbbb", owner: "bob", rate: 0, network: "test" };

test("keys are found, listed and revoked, with the times of the database", async () => {
  expect(await reader.find(alice.id)).toBeUndefined();
  const begun = Date.now() / 1000;
  const added = await writer.add(alice);
  expect(added.created).toBeGreaterThan(begun - 1.1);
  expect(added.created).toBeLessThanOrEqual(Date.now() / 1000 + 0.1);
  await writer.add(bob);
  const found = await reader.find(alice.id);
  expect({ ...found, secretHash: new Uint8Array(found?.secretHash ?? []) }).toEqual({ ...alice, created: added.created });
  expect((await reader.list()).map(({ owner, network }) => [owner, network])).toEqual([
    ["alice", undefined],
    ["bob", "test"],
  ]);
  expect(await reader.revokedWithin(60)).toEqual([]);
  expect([await writer.revoke(alice.id), await writer.revoke(alice.id), await writer.revoke("unknown")]).toEqual([
    "revoked",
    "revoked before",
    "unknown",
  ]);
  expect(await reader.find(alice.id)).toBeUndefined();
  expect((await reader.list()).map(({ owner }) => owner)).toEqual(["bob"]);
  expect(await reader.revokedWithin(60)).toEqual([alice.id]);
});

test("readers cannot change keys", async () => {
  await expect(reader.revoke(bob.id)).rejects.toMatchObject({ name: "PostgresStoreError" });
});
