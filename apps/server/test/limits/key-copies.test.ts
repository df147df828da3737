import { expect, test } from "vitest";
import { copyOf, keyIn } from "../../src/limits/key-copies.ts";

const id = "4453aa152052";
const record = { id, owner: "alice", rate: 5, created: 1_700_000_000 };
const hash = Buffer.alloc(32, 7);
const copy = copyOf({ hash, record });

test("a copy holds the key that it was made of", () => {
  const other = { ...record, network: "chain" };
  expect(keyIn(copy, id)).toEqual({ hash, record });
  expect(keyIn(copyOf({ hash, record: other }), id)).toEqual({ hash, record: other });
});

const withHash = (changed: object): string =>
  JSON.stringify({ hash: hash.toString("base64"), record: { ...record, ...changed } });
const wrong: readonly (readonly [string, string])[] = [
  ["of another key", withHash({ id: "000000000000" })],
  ["that is no JSON", "revoked!"],
  ["that is null", "null"],
  ["without a record", JSON.stringify({ hash: hash.toString("base64") })],
  ["with a short hash", copyOf({ hash: hash.subarray(1), record })],
  ["with a long hash", copyOf({ hash: Buffer.alloc(33), record })],
  ["whose hash is no text", JSON.stringify({ hash: 7, record })],
  ["with a negative rate", withHash({ rate: -1 })],
  ["with half a request per second", withHash({ rate: 0.5 })],
  ["whose rate is text", withHash({ rate: "5" })],
  ["without an owner", withHash({ owner: undefined })],
  ["whose network is no text", withHash({ network: 7 })],
  ["whose time is text", withHash({ created: "1" })],
];

test.each(wrong)("a copy %s is not used", (_, text) => {
  expect(keyIn(text, id)).toBeUndefined();
});
