import type { AccountId, BlockId } from "@chain-query/format/identifiers";
import fc from "fast-check";
import { expect, expectTypeOf, test } from "vitest";
import { LiteError } from "../../src/wire/lite-error.ts";
import { TlReader, TlWriter } from "../../src/wire/tl/bytes.ts";
import { Scheme } from "../../src/wire/tl/codec.ts";
import { queries, readQuery, withWait, writeAnswer, writeError } from "../../src/wire/tl/queries.ts";
import { functions, type LiteAnswer, types, waitPrefix } from "../../src/wire/tl/scheme.ts";

const hash = new Uint8Array(32).fill(7);
const head: BlockId = { workchain: -1, shard: -(2n ** 63n), seqno: 9, rootHash: hash, fileHash: hash };
const account: AccountId = { workchain: 0, hash };
const scheme = new Scheme(types);

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

/** As the public lite servers use them. */
const ids = `
  tonNode.blockId b7cdb167, tonNode.blockIdExt 6752eb78, tonNode.zeroStateIdExt 1d7235ae, liteServer.error bba9e148
  liteServer.accountId 75a0e2c5, liteServer.masterchainInfo 85832881, liteServer.masterchainInfoExt a8cce0f5
  liteServer.currentTime e953000d, liteServer.version 5a0491e5, liteServer.blockData a574ed6c, liteServer.blockState abaddc0c
  liteServer.blockHeader 752d8219, liteServer.accountState 7079c751, liteServer.shardInfo 9fe6cd84
  liteServer.allShardsInfo 098fe72d, liteServer.transactionInfo 0edeed47, liteServer.transactionList 6f26c60b
  liteServer.transactionMetadata ff706385, liteServer.transactionId b12f65af, liteServer.transactionId3 2c81da77
  liteServer.blockTransactions bd8cad2b, liteServer.blockTransactionsExt fb8ffce4, liteServer.signature a3def855
  liteServer.signatureSet.ordinary f644a6e6, liteServer.signatureSet.simplex ac249800, liteServer.blockLinkBack ef7e1bef
  liteServer.blockLinkForward 520fce1c, liteServer.partialBlockProof 8ed0d2c1, liteServer.configInfo ae7b272f
  liteServer.shardBlockLink d30dcf72, liteServer.shardBlockProof 1d62a07a, liteServer.lookupBlockResult 99786be7
  liteServer.outMsgQueueSize a7c64c85, liteServer.outMsgQueueSizes f8504a03, liteServer.blockOutMsgQueueSize 8acdbe1b
  liteProxy.requestRateLimit 14cb3f0c
  liteServer.getMasterchainInfo 89b5e62e
  liteServer.getMasterchainInfoExt 70a671df, liteServer.getTime 16ad5a34, liteServer.getVersion 232b940b
  liteServer.getBlock 6377cf0d, liteServer.getState ba6e2eb6, liteServer.getBlockHeader 21ec069e
  liteServer.lookupBlock fac8f71e, liteServer.lookupBlockWithProof 9c045ff8, liteServer.getAccountState 6b890e25
  liteServer.getAccountStatePrunned 5a698507, liteServer.getShardInfo 46a2f425, liteServer.getAllShardsInfo 74d3fd6b
  liteServer.getOneTransaction d40f24ea, liteServer.getTransactions 1c40e7a1, liteServer.listBlockTransactions adfcc7da
  liteServer.listBlockTransactionsExt 0079dd5c, liteServer.getBlockProof 8aea9c44, liteServer.getConfigAll 911b26b7
  liteServer.getConfigParams 2a111c19, liteServer.getShardBlockProof 4ca60350, liteServer.getOutMsgQueueSizes 7bc19c36
  liteServer.getBlockOutMsgQueueSize 8f6c7779, liteProxy.getRequestRateLimit f0f83e86
  liteServer.waitMasterchainSeqno baeab892`;

test("each constructor and function has its public id", () => {
  const compiled = [...types, ...functions, waitPrefix].map((line) => scheme.compile(line));
  const text = compiled.map(({ name, id }) => `${name} ${id.toString(16).padStart(8, "0")}`);
  expect(text.sort()).toEqual(
    ids
      .trim()
      .split(/,\s+|\n\s*/)
      .sort(),
  );
});

const anyBytes = (length: object) => fc.uint8Array(length).map((array) => new Uint8Array(array));
const atoms: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  int: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  "#": fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  long: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  int256: anyBytes({ minLength: 32, maxLength: 32 }),
  bytes: anyBytes({ maxLength: 300 }),
  string: fc.string({ unit: "grapheme" }),
  Bool: fc.boolean(),
};

/** Any value of a type, made from the scheme alone. */
function anyOf(type: string): fc.Arbitrary<unknown> {
  const item = /^\(vector (.+)\)$/.exec(type)?.[1];
  if (item !== undefined) return fc.array(anyOf(item), { maxLength: 3 });
  const atom = atoms[type];
  if (atom !== undefined) return atom;
  const bare = types.find((line) => line.split(/[ #]/)[0] === type);
  if (bare !== undefined) return anyRecord(bare);
  const lines = types.filter((line) => line.endsWith(` = ${type}`));
  return fc.oneof(
    ...lines.map((line) => {
      const tag = (line.split(/[ #]/)[0] ?? "").replace(/^\w+\./, "");
      return lines.length === 1 ? anyRecord(line) : anyRecord(line).map((value) => ({ type: tag, ...value }));
    }),
  );
}

function anyRecord(line: string): fc.Arbitrary<object> {
  const fields = [...line.matchAll(/ (\w+):(?:mode\.(\d+)\?)?(\(.*?\)|\S+)/g)].map(([, name = "", bit, type = ""]) => ({
    key: name === "id" && type === "int256" ? "hash" : name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    bit,
    type,
  }));
  const all = fc.record(
    Object.fromEntries(fields.filter(({ type }) => type !== "true").map(({ key, type }) => [key, anyOf(type)])),
  );
  return all.map((value) => {
    const mode = Number(value["mode"]);
    const absent = fields.filter(({ bit }) => bit !== undefined && (mode & (1 << Number(bit))) === 0).map(({ key }) => key);
    return Object.fromEntries(Object.entries(value).filter(([key]) => !absent.includes(key)));
  });
}

test.each([...types, ...functions])("written values are read back: %s", (line) => {
  const codec = scheme.compile(line);
  fc.assert(
    fc.property(anyRecord(line), (value) => {
      const writer = new TlWriter();
      codec.write(writer, value);
      const reader = new TlReader(writer.finish());
      expect(codec.read(reader)).toEqual(value);
      reader.end();
    }),
    { numRuns: 30, seed: 1 },
  );
});

test("random bytes give only a LiteError", () => {
  const ids = [...types, ...functions].map((line) => scheme.compile(line).id);
  const bytesOfOne = fc
    .tuple(fc.constantFrom(...ids), anyBytes({ maxLength: 400 }))
    .map(([id, rest]) => new TlWriter().uint(id).raw(rest).finish());
  const reads = [
    readQuery,
    ...[...new Set(types.map((line) => line.split(" = ")[1] ?? ""))].map(
      (type) => (object: Uint8Array) => scheme.boxed(type).read(new TlReader(object)),
    ),
    queries.getTime().read,
  ];
  fc.assert(
    fc.property(bytesOfOne, (object) => {
      for (const read of reads) {
        try {
          read(object);
        } catch (error) {
          expect(error).toBeInstanceOf(LiteError);
        }
      }
    }),
    { numRuns: 200, seed: 1 },
  );
});
