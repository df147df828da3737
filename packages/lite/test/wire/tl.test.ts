import type { AccountId, BlockId } from "@chain-query/format/identifiers";
import { expect, expectTypeOf, test } from "vitest";
import { LiteError } from "../../src/wire/lite-error.ts";
import { TlReader, TlWriter } from "../../src/wire/tl/bytes.ts";
import { queries, readQuery, withWait, writeAnswer, writeError } from "../../src/wire/tl/queries.ts";
import type { LiteAnswer } from "../../src/wire/tl/scheme.ts";

const hash = new Uint8Array(32).fill(7);
const head: BlockId = { workchain: -1, shard: -(2n ** 63n), seqno: 9, rootHash: hash, fileHash: hash };
const account: AccountId = { workchain: 0, hash };

test("a call travels to the server, and its answer back", () => {
  const query = withWait(queries.getAccountState({ id: head, account }), { seqno: 9, timeoutMs: 500 });
  const call = readQuery(query.bytes);
  expect(call).toEqual({ name: "getAccountState", args: { id: head, account }, waitFor: { seqno: 9, timeoutMs: 500 } });
  if (call.name === "getAccountState") expectTypeOf(call.args.account).toEqualTypeOf<AccountId>();

  const answer: LiteAnswer<"getAccountState"> = {
    id: head,
    shardblk: { ...head, workchain: 0 },
    shardProof: new Uint8Array(253),
    proof: new Uint8Array(254),
    state: new Uint8Array(0),
  };
  expect(query.read(writeAnswer("getAccountState", answer))).toEqual(answer);
});

test("an argument is there if its bit of the mode is set", () => {
  const id = { workchain: 0, shard: 2n ** 62n, seqno: 0 };
  expect(readQuery(queries.lookupBlock({ mode: 2, id, lt: 5n }).bytes).args).toEqual({ mode: 2, id, lt: 5n });
  expect(() => queries.lookupBlock({ mode: 2, id })).toThrow(
    "liteServer.lookupBlock.lt must be a bigint of 64 bits, signed, got undefined",
  );
  expect(() => queries.lookupBlock({ mode: 4, id, utime: 1, lt: 5n })).toThrow("liteServer.lookupBlock.lt must be left out");
});

test.each([
  [
    "a seqno above the signed integers",
    { ...head, seqno: 2 ** 31 },
    "tonNode.blockIdExt.seqno must be an integer from -2147483648",
  ],
  ["a fraction", { ...head, seqno: 0.5 }, "got 0.5"],
  ["a short hash", { ...head, rootHash: new Uint8Array(31) }, "tonNode.blockIdExt.root_hash must be 32 bytes, got 31 bytes"],
  ["a shard above the signed integers", { ...head, shard: 2n ** 63n }, "tonNode.blockIdExt.shard must be a bigint of 64 bits"],
])("%s is refused before it is sent", (_, id, message) => {
  expect(() => queries.getBlock({ id })).toThrow(TypeError);
  expect(() => queries.getBlock({ id })).toThrow(message);
});

test("the newest block has the number -1, ffffffff on the wire", () => {
  const { bytes } = queries.getBlock({ id: { ...head, seqno: -1 } });
  expect(bytes.subarray(16, 20)).toEqual(new Uint8Array(4).fill(0xff));
});

test("an error of the server is thrown with its code", () => {
  const read = () => queries.getTime().read(writeError(-400, "too old"));
  expect(read).toThrow(
    expect.objectContaining({ name: "LiteError", kind: "refused", code: -400, message: "getTime: too old" }),
  );
});

const time = writeAnswer("getTime", { now: 1 });

test.each([
  ["no bytes", new Uint8Array(0), "ends after 0 bytes"],
  ["a short answer", time.subarray(0, 7), "ends after 7 bytes"],
  ["bytes left over", Buffer.concat([time, new Uint8Array(4)]), "4 bytes follow the end"],
  [
    "an answer of another function",
    writeAnswer("getBlock", { id: head, data: hash }),
    "a574ed6c is not one of liteServer.CurrentTime",
  ],
  ["a short error", writeError(1, "").subarray(0, 8), "ends after 8 bytes"],
])("%s is a break of the protocol", (_, bytes, message) => {
  const read = () => queries.getTime().read(bytes);
  expect(read).toThrow(expect.objectContaining({ name: "LiteError", kind: "protocol", code: undefined }));
  expect(read).toThrow(message);
});

test.each([2 ** 31, 2 ** 32 - 1, 3])("a vector of %i items is refused before it is read", (count) => {
  const bytes = new TlWriter().uint(0x6f26c60b).uint(count).raw(new Uint8Array(239)).finish();
  const query = queries.getTransactions({ count: 1, account, lt: 1n, hash });
  expect(() => query.read(bytes)).toThrow(`a vector of ${count} items of at least 80 bytes, but 239 follow`);
});

test("the length of bytes is bounded by the bytes that follow", () => {
  const read = (...bytes: number[]) => new TlReader(Uint8Array.from(bytes)).bytes();
  expect(() => read(0xfe, 0xff, 0xff, 0xff, 1)).toThrow(LiteError);
  expect(() => read(0xff, 1, 0, 0, 0, 0, 0, 0)).toThrow("a length of bytes begins with ff");
  expect(() => read(2, 1, 1)).toThrow("ends after 3 bytes, 1 more expected at 3");
});

test.each([
  ["an unknown function", new TlWriter().uint(0x12345678).finish(), 621],
  ["a prefix alone", withWait(queries.getTime(), { seqno: 1, timeoutMs: 1 }).bytes.subarray(0, 12), 601],
  ["a call with bytes left over", Buffer.concat([queries.getTime().bytes, new Uint8Array(1)]), 601],
  ["no bytes", new Uint8Array(0), 601],
])("a server learns the code with which to answer %s", (_, bytes, code) => {
  expect(() => readQuery(bytes)).toThrow(expect.objectContaining({ name: "LiteError", kind: "protocol", code }));
});
