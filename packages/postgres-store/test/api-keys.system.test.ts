import { SMALL } from "@chain-query/testing/chains";
import { expect, onTestFinished, test } from "vitest";
import { openApiKeys } from "../src/index.ts";
import { copiedIndex, openTestReader, producedSteps } from "./indexed-chains.ts";

const alice = { id: "4453aa152052", secretHash: new Uint8Array(32).fill(7), owner: "alice", rate: 50 };
const bob = { ...alice, id: "bbbbbbbbbbbb", owner: "bob", rate: 0, network: "test" };

test("keys are found, listed and revoked, with the times of the database", async () => {
  const connection = await copiedIndex(await producedSteps(SMALL), 1);
  const [reader, writer] = [openTestReader(connection), openApiKeys(connection)];
  onTestFinished(async () => void (await Promise.all([reader.close(), writer.close()])));
  expect(await reader.findKey(alice.id)).toBeUndefined();
  const begun = Date.now() / 1000;
  const added = await writer.add(alice);
  expect(added.created).toBeGreaterThan(begun - 1.1);
  expect(added.created).toBeLessThanOrEqual(Date.now() / 1000 + 0.1);
  await writer.add(bob);
  const found = await reader.findKey(alice.id);
  expect({ ...found, secretHash: new Uint8Array(found?.secretHash ?? []) }).toEqual({ ...alice, created: added.created });
  expect((await writer.list()).map(({ owner, network }) => [owner, network])).toEqual([
    ["alice", undefined],
    ["bob", "test"],
  ]);
  expect([await writer.revoke(alice.id), await writer.revoke(alice.id), await writer.revoke("unknown")]).toEqual([
    "revoked",
    "revoked before",
    "unknown",
  ]);
  expect(await reader.findKey(alice.id)).toBeUndefined();
  expect((await writer.list()).map(({ owner }) => owner)).toEqual(["bob"]);
});
