import { describe, expectTypeOf, test } from "vitest";
import type { Handlers, OperationId, RequestOf, ResultOf } from "../src/index.ts";

declare const handlers: Handlers;
declare const block: ResultOf<"lookupBlock">;

describe("Handlers", () => {
  test("demands all eight operations and no other", () => {
    expectTypeOf<keyof Handlers>().toEqualTypeOf<OperationId>();
    const { getConsensusBlock: _, ...seven } = handlers;
    // @ts-expect-error getConsensusBlock is missing
    seven satisfies Handlers;
    ({ ...seven, getConsensusBlock: handlers.getConsensusBlock }) satisfies Handlers;
    // @ts-expect-error there is no operation getBlock
    ({ ...handlers, getBlock: () => block }) satisfies Handlers;
  });

  test("gives each operation its own request", () => {
    expectTypeOf<Parameters<Handlers["tryLocateResultTx"]>[0]>().toEqualTypeOf<RequestOf<"tryLocateResultTx">>();
    expectTypeOf<Parameters<Handlers["getTransactionsStd"]>[0]>().toEqualTypeOf<RequestOf<"getTransactionsStd">>();
  });

  test("takes the result of the operation, now or later, and no other", () => {
    ({ ...handlers, lookupBlock: () => block }) satisfies Handlers;
    ({ ...handlers, lookupBlock: async () => block }) satisfies Handlers;
    // @ts-expect-error getMasterchainInfo answers more than a block
    ({ ...handlers, getMasterchainInfo: () => block }) satisfies Handlers;
    // @ts-expect-error a handler answers the result, not its envelope
    ({ ...handlers, lookupBlock: () => ({ ok: true, result: block }) }) satisfies Handlers;
  });

  test("passes along the context that a service chooses", () => {
    interface Context {
      extra: string;
    }
    expectTypeOf<Parameters<Handlers<Context>["lookupBlock"]>[1]>().toEqualTypeOf<Context>();
    expectTypeOf<Parameters<Handlers["lookupBlock"]>[1]>().toBeUnknown();
  });
});
