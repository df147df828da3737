import { describe, expectTypeOf, test } from "vitest";
import type { OperationId, RequestOf } from "../src/index.ts";

type Eight =
  | "getAddressInformation"
  | "getConsensusBlock"
  | "getMasterchainInfo"
  | "getOutMsgQueueSize"
  | "getTransactionsStd"
  | "lookupBlock"
  | "tryLocateResultTx"
  | "tryLocateSourceTx";

interface MessageKey {
  source: string;
  destination: string;
  created_lt: string;
}

/** Takes a request as a caller writes it, so that a misspelt member is an error too. */
declare function ask<Id extends OperationId>(id: Id, request: RequestOf<Id>): void;

const address = "0:0000000000000000000000000000000000000000000000000000000000000000";
const message: MessageKey = { source: address, destination: address, created_lt: "433000002" };

test("OperationId is exactly the eight operations", () => {
  expectTypeOf<OperationId>().toEqualTypeOf<Eight>();
});

describe("getAddressInformation", () => {
  test("takes an address, as of a block or not", () => {
    expectTypeOf<RequestOf<"getAddressInformation">>().toEqualTypeOf<{ address: string; seqno?: string }>();
    ask("getAddressInformation", { address });
    ask("getAddressInformation", { address, seqno: "1439" });
  });

  test("refuses a request that lacks the address, misspells a member or has another type", () => {
    // @ts-expect-error the address is missing
    ask("getAddressInformation", {});
    // @ts-expect-error there is no member seq_no
    ask("getAddressInformation", { address, seq_no: "1439" });
    // @ts-expect-error seqno is a string here
    ask("getAddressInformation", { address, seqno: 1439 });
    // @ts-expect-error an optional member is left out, not undefined
    ask("getAddressInformation", { address, seqno: undefined });
  });
});

describe("getTransactionsStd", () => {
  test("takes an address, a cursor and bounds", () => {
    expectTypeOf<RequestOf<"getTransactionsStd">>().toEqualTypeOf<{
      address: string;
      limit?: number;
      lt?: string;
      hash?: string;
      to_lt?: string;
      archival?: boolean;
    }>();
    ask("getTransactionsStd", { address });
    ask("getTransactionsStd", { address, limit: 50, lt: "18651000001", hash: "0".repeat(64), to_lt: "0", archival: true });
  });

  test("refuses a request that lacks the address, misspells a member or has another type", () => {
    // @ts-expect-error the address is missing
    ask("getTransactionsStd", { limit: 50 });
    // @ts-expect-error wire names are not in camel case
    ask("getTransactionsStd", { address, toLt: "0" });
    // @ts-expect-error limit is a number
    ask("getTransactionsStd", { address, limit: "50" });
    // @ts-expect-error a logical time does not fit a number
    ask("getTransactionsStd", { address, lt: 18651000001 });
    // @ts-expect-error archival is a boolean
    ask("getTransactionsStd", { address, archival: "true" });
  });
});

describe("tryLocateSourceTx and tryLocateResultTx", () => {
  type Locate = "tryLocateSourceTx" | "tryLocateResultTx";
  const locate = "tryLocateResultTx" as Locate;

  test("take the three things that identify a message", () => {
    expectTypeOf<{ [Id in Locate]: RequestOf<Id> }>().toEqualTypeOf<Record<Locate, MessageKey>>();
    ask(locate, message);
  });

  test("refuse a request that lacks one of them, misspells one or has another type", () => {
    // @ts-expect-error created_lt is missing
    ask(locate, { source: address, destination: address });
    // @ts-expect-error the source is missing
    ask(locate, { destination: address, created_lt: "1" });
    // @ts-expect-error the destination is missing
    ask(locate, { source: address, created_lt: "1" });
    // @ts-expect-error wire names are not in camel case
    ask(locate, { ...message, createdLt: "1" });
    // @ts-expect-error a logical time does not fit a number
    ask(locate, { ...message, created_lt: 433000002 });
  });
});

describe("lookupBlock", () => {
  const place = { workchain: -1, shard: "-9223372036854775808" };

  test("takes one selector, as an integer or a string", () => {
    ask("lookupBlock", { ...place, seqno: 217 });
    ask("lookupBlock", { ...place, seqno: "217" });
    ask("lookupBlock", { ...place, lt: "433000001" });
    ask("lookupBlock", { ...place, unixtime: 1767251652 });
    ask("lookupBlock", { workchain: "-1", shard: -1, unixtime: "1767251652" });
  });

  test("refuses none, a misspelt one, another type and half a place", () => {
    // @ts-expect-error there is no selector
    ask("lookupBlock", place);
    // @ts-expect-error there is no selector time
    ask("lookupBlock", { ...place, time: 1767251652 });
    // @ts-expect-error a bigint is no JSON
    ask("lookupBlock", { ...place, lt: 433000001n });
    // @ts-expect-error the shard is missing
    ask("lookupBlock", { workchain: -1, seqno: 217 });
    // @ts-expect-error the workchain is missing
    ask("lookupBlock", { shard: "0", seqno: 217 });
  });

  test("refuses two selectors", () => {
    // @ts-expect-error seqno and lt
    ask("lookupBlock", { ...place, seqno: 217, lt: "433000001" });
    // @ts-expect-error lt and unixtime
    ask("lookupBlock", { ...place, lt: "433000001", unixtime: 1767251652 });
    // @ts-expect-error all three
    ask("lookupBlock", { ...place, seqno: 217, lt: "433000001", unixtime: 1767251652 });
  });

  test("lets a service look for the selector by name", () => {
    const selector = ({ seqno, lt, unixtime }: RequestOf<"lookupBlock">) => seqno ?? lt ?? unixtime;
    expectTypeOf(selector).returns.toEqualTypeOf<string | number | undefined>();
  });
});

test("a request of several operations is one of theirs", () => {
  expectTypeOf<RequestOf<"tryLocateSourceTx" | "getAddressInformation">>().toEqualTypeOf<
    RequestOf<"tryLocateSourceTx"> | RequestOf<"getAddressInformation">
  >();
  expectTypeOf<MessageKey>().toExtend<RequestOf<OperationId>>();
});

describe("getConsensusBlock, getMasterchainInfo and getOutMsgQueueSize", () => {
  type Plain = "getConsensusBlock" | "getMasterchainInfo" | "getOutMsgQueueSize";
  const plain = "getConsensusBlock" as Plain;

  test("take nothing", () => {
    expectTypeOf<{ [Id in Plain]: RequestOf<Id> }>().toEqualTypeOf<Record<Plain, Record<string, never>>>();
    ask(plain, {});
  });

  test("refuse anything", () => {
    // @ts-expect-error the operations take no input
    ask(plain, { workchain: -1 });
    // @ts-expect-error a request is an object
    ask(plain, undefined);
  });
});
