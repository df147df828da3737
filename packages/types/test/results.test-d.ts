import { describe, expectTypeOf, test } from "vitest";
import type { EnvelopeOf, Failure, FailureReason, OperationId, ResultOf, Schemas } from "../src/index.ts";

type BlockId = Schemas["chain.blockIdExt"];

describe("an envelope", () => {
  test("of every operation is distinguished from a failure by ok", () => {
    type Succeeded = { [Id in OperationId]: Extract<EnvelopeOf<Id> | Failure, { ok: true }>["result"] };
    type Failed = { [Id in OperationId]: Extract<EnvelopeOf<Id> | Failure, { ok: false }> };
    expectTypeOf<Succeeded>().toEqualTypeOf<{ [Id in OperationId]: ResultOf<Id> }>();
    expectTypeOf<Failed>().toEqualTypeOf<{ [Id in OperationId]: Failure }>();
  });

  test("has a result where ok is true, and an error and a code where it is false", () => {
    type Body = EnvelopeOf<"getMasterchainInfo"> | Failure;
    expectTypeOf<Extract<Body, { ok: true }>["result"]>().toEqualTypeOf<ResultOf<"getMasterchainInfo">>();
    expectTypeOf<Extract<Body, { ok: false }>>().toEqualTypeOf<{
      ok: false;
      error: string;
      code: number;
      reason?: FailureReason;
      input?: string;
      "@extra"?: string;
    }>();
    expectTypeOf<"message_pending">().toExtend<FailureReason>();
    expectTypeOf<"a reason of a later version">().toExtend<FailureReason>();
    const read = (body: Body): number => {
      // @ts-expect-error result exists only where ok is true
      body.result;
      // @ts-expect-error code exists only where ok is false
      body.code;
      return body.ok ? body.result.last.seqno : body.code;
    };
    expectTypeOf(read).returns.toBeNumber();
  });

  test("of every operation says ok and holds the result", () => {
    expectTypeOf<EnvelopeOf<OperationId>["ok"]>().toEqualTypeOf<true>();
    expectTypeOf<EnvelopeOf<OperationId>["@extra"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<EnvelopeOf<OperationId>["result"]>().toEqualTypeOf<ResultOf<OperationId>>();
  });

  test("of getTransactionsStd may have the members that JSON-RPC adds, and no other may", () => {
    type JsonRpc = { jsonrpc?: string; id?: string };
    expectTypeOf<Pick<EnvelopeOf<"getTransactionsStd">, "jsonrpc" | "id">>().toEqualTypeOf<JsonRpc>();
    expectTypeOf<EnvelopeOf<Exclude<OperationId, "getTransactionsStd">>>().not.toHaveProperty("jsonrpc");
  });
});

describe("a result", () => {
  test("of tryLocateSourceTx and tryLocateResultTx is an ext.transaction", () => {
    expectTypeOf<ResultOf<"tryLocateSourceTx">>().toEqualTypeOf<Schemas["ext.transaction"]>();
    expectTypeOf<ResultOf<"tryLocateResultTx">>().toEqualTypeOf<Schemas["ext.transaction"]>();
    expectTypeOf<ResultOf<"tryLocateSourceTx">["in_msg"]>().toEqualTypeOf<Schemas["ext.message"] | undefined>();
    expectTypeOf<ResultOf<"tryLocateSourceTx">["out_msgs"]>().toEqualTypeOf<Schemas["ext.message"][]>();
  });

  test("of getOutMsgQueueSize is a blocks.outMsgQueueSizes", () => {
    type Queues = ResultOf<"getOutMsgQueueSize">;
    expectTypeOf<Queues["@type"]>().toEqualTypeOf<"blocks.outMsgQueueSizes">();
    expectTypeOf<Queues["ext_msg_queue_size_limit"]>().toBeNumber();
    expectTypeOf<Queues["shards"][number]>().toEqualTypeOf<{ "@type": "blocks.outMsgQueueSize"; id: BlockId; size: number }>();
  });

  test("of getTransactionsStd is a page of raw.transactions", () => {
    type Page = ResultOf<"getTransactionsStd">;
    expectTypeOf<Page["@type"]>().toEqualTypeOf<"raw.transactions">();
    expectTypeOf<Page["transactions"]>().toEqualTypeOf<Schemas["raw.transaction"][]>();
    expectTypeOf<Page["previous_transaction_id"]["lt"]>().toBeString();
    expectTypeOf<Page["transactions"][number]>().not.toHaveProperty("account");
    expectTypeOf<Schemas["raw.message"]["source"]["account_address"]>().toBeString();
    expectTypeOf<Schemas["raw.message"]>().not.toHaveProperty("message");
  });

  test("may lack what the contract makes optional", () => {
    type Account = ResultOf<"getAddressInformation">;
    expectTypeOf<Account["block_id"]>().toEqualTypeOf<BlockId>();
    expectTypeOf<Pick<Account, "suspended">>().toEqualTypeOf<{ suspended?: boolean }>();
  });

  test("is never any", () => {
    expectTypeOf<ResultOf<OperationId>>().not.toBeAny();
    expectTypeOf<ResultOf<"getTransactionsStd">["transactions"][number]["in_msg"]>().not.toBeAny();
  });
});

test("the type of a block identifier is any one word and blockIdExt", () => {
  expectTypeOf<BlockId["@type"]>().toEqualTypeOf<`${string}.blockIdExt`>();
  expectTypeOf<"chain.blockIdExt">().toExtend<BlockId["@type"]>();
  expectTypeOf<"chain.block">().not.toExtend<BlockId["@type"]>();
  expectTypeOf<"blockIdExt">().not.toExtend<BlockId["@type"]>();
});

describe("the content of a message", () => {
  type Content = Schemas["ext.message"]["msg_data"];

  test("is one of four kinds", () => {
    expectTypeOf<Content["@type"]>().toEqualTypeOf<
      "msg.dataRaw" | "msg.dataText" | "msg.dataEncryptedText" | "msg.dataDecryptedText"
    >();
    expectTypeOf<Schemas["raw.message"]["msg_data"]>().toEqualTypeOf<Content>();
  });

  test("is distinguished by @type", () => {
    const read = (content: Content): string => {
      // @ts-expect-error not every kind has a text
      content.text;
      if (content["@type"] !== "msg.dataRaw") return content.text;
      // @ts-expect-error the raw kind has none
      content.text;
      return content.body + content.init_state;
    };
    expectTypeOf(read).returns.toBeString();
  });
});
