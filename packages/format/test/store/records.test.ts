import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ACCOUNT_BYTES, accountKey, accountOf } from "../../src/store/account-key.ts";
import { ChainStoreError } from "../../src/store/domain.ts";
import { accountRecord, cellRecord, headerRecord, type StoredMessage, transactionRecord } from "../../src/store/records.ts";

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
const bytes = fc.uint8Array({ maxLength: 300 });
const u32 = fc.nat(2 ** 32 - 1);
const u64 = fc.bigInt(0n, 2n ** 64n - 1n);
const amount = fc.oneof(fc.bigInt(0n, 2n ** 60n), fc.bigInt(0n, 2n ** 248n - 1n));
const workchain = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const shard = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
const blockId = fc.record({ workchain, shard, seqno: u32, rootHash: hash, fileHash: hash });
const transactionId = fc.record({ lt: u64, hash });
const account = fc.record({ workchain, hash });
const extraCurrencies = fc.array(fc.record({ id: fc.integer(), amount }), { maxLength: 3 });

const header = fc.record({
  ...{ id: blockId, startLt: u64, endLt: u64, time: u32, stateRootHash: hash, previous: blockId },
  ...{ masterchainSeqno: u32, transactionCount: u32, queueSize: fc.option(fc.nat(2 ** 32 - 2), { nil: undefined }) },
});

const requiredOfMessage = [
  "hash",
  "bodyHash",
  "value",
  "forwardFee",
  "ihrFee",
  "createdLt",
  "extraCurrencies",
  "body",
] as const;
const message: fc.Arbitrary<StoredMessage> = fc.record(
  {
    ...{ hash, bodyHash: hash, source: account, destination: account, value: amount, forwardFee: amount, ihrFee: amount },
    ...{ createdLt: u64, extraCurrencies, body: bytes, initStateHash: hash },
    comment: fc.record({ encrypted: fc.boolean(), bytes }),
  },
  { requiredKeys: [...requiredOfMessage] },
);

const transaction = fc.record(
  {
    ...{ id: transactionId, previous: transactionId, time: u32, data: bytes, fee: amount, storageFee: amount },
    ...{ inMessage: message, outMessages: fc.array(message, { maxLength: 3 }), masterchainSeqno: u32 },
  },
  { requiredKeys: ["id", "previous", "time", "data", "fee", "storageFee", "outMessages", "masterchainSeqno"] },
);

const ref = fc.oneof(fc.record({ boc: bytes }), fc.record({ kept: hash }));
const version = fc.record(
  {
    status: fc.constantFrom("uninitialized" as const, "active" as const, "frozen" as const),
    ...{ balance: amount, extraCurrencies, last: transactionId, frozenHash: hash, code: fc.nat(3), data: fc.nat(3) },
    cell: fc.record({ bytes, bitLength: fc.nat(1023), refs: fc.array(ref, { maxLength: 4 }) }),
  },
  { requiredKeys: ["status", "balance", "extraCurrencies", "last", "cell"] },
);

/** Each kind of record, with values of it. */
const kinds = [
  { name: "header", type: headerRecord, values: header },
  { name: "transaction", type: transactionRecord, values: transaction },
  { name: "account", type: accountRecord, values: version },
  { name: "cell", type: cellRecord, values: bytes },
] as readonly {
  name: string;
  type: { encode(value: unknown): Buffer; decode(record: Uint8Array): unknown };
  values: fc.Arbitrary<unknown>;
}[];

describe.each(kinds)("the record of a $name", ({ type, values }) => {
  test("has the value", () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(type.decode(type.encode(value))).toEqual(value);
      }),
      { seed: 1 },
    );
  });

  test("is refused if a byte is another one, missing or too many", () => {
    const damage = fc.tuple(values, fc.nat(), fc.integer({ min: 1, max: 255 }));
    fc.assert(
      fc.property(damage, ([value, place, change]) => {
        const record = type.encode(value);
        const changed = Buffer.from(record);
        const at = place % record.length;
        changed.writeUInt8((record[at] ?? 0) ^ change, at);
        for (const damaged of [changed, record.subarray(0, at), Buffer.concat([record, Buffer.of(change)])]) {
          expect(() => type.decode(damaged)).toThrow(ChainStoreError);
        }
      }),
      { seed: 1 },
    );
  });
});

const accounts = fc.record({
  workchain: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  hash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
});

describe("accountKey", () => {
  test("has the account in 36 bytes", () => {
    fc.assert(
      fc.property(accounts, (account) => {
        const key = accountKey(account);
        expect(key.length).toBe(ACCOUNT_BYTES);
        const { workchain, hash } = accountOf(Buffer.concat([key, Buffer.from("and more")]));
        expect([workchain, Uint8Array.from(hash)]).toEqual([account.workchain, account.hash]);
      }),
      { seed: 1 },
    );
  });

  test("orders accounts by signed workchain, then by hash", () => {
    fc.assert(
      fc.property(accounts, accounts, (a, b) => {
        const expected = Math.sign(a.workchain - b.workchain) || Math.sign(Buffer.compare(a.hash, b.hash));
        expect(Math.sign(Buffer.compare(accountKey(a), accountKey(b)))).toBe(expected);
      }),
      { seed: 1 },
    );
  });

  test("refuses a workchain that has no 32 bits", () => {
    for (const workchain of [2 ** 31, -(2 ** 31) - 1, 0.5]) {
      expect(() => accountKey({ workchain, hash: new Uint8Array(32) })).toThrow("expected a signed 32-bit integer");
    }
  });
});
