import { describe, expectTypeOf, test } from "vitest";
import type {
  BigintBlockId,
  BigintLocatedTransaction,
  BigintMessage,
  BigintOf,
  BigintResults,
  BigintTransaction,
  BlockId,
  ConsensusBlock,
  FullAccountState,
  LocatedTransaction,
  OperationId,
  ResultOf,
  Transaction,
} from "../src/index.ts";

/** A type with each bigint as the string that it is on the wire. */
type Wire<Type> = Type extends bigint
  ? string
  : Type extends readonly (infer Item)[]
    ? Wire<Item>[]
    : Type extends object
      ? { [Name in keyof Type]: Wire<Type[Name]> }
      : Type;

describe("a result with bigints", () => {
  test("differs from the result by its logical times, shards and amounts alone", () => {
    type Account = BigintResults["getAddressInformation"];
    expectTypeOf<Pick<Account, "balance">>().toEqualTypeOf<{ balance: bigint }>();
    expectTypeOf<Account["extra_currencies"][0]["amount"]>().toEqualTypeOf<bigint>();
    expectTypeOf<Account["last_transaction_id"]["lt"]>().toEqualTypeOf<bigint>();
    expectTypeOf<Account["block_id"]>().toEqualTypeOf<BigintBlockId>();
    expectTypeOf<Account["sync_utime"]>().toEqualTypeOf<FullAccountState["sync_utime"]>();
    expectTypeOf<BigintTransaction["in_msg"]>().toEqualTypeOf<BigintMessage | undefined>();
    expectTypeOf<BigintResults["getConsensusBlock"]>().toEqualTypeOf<ConsensusBlock>();
    expectTypeOf<keyof BigintResults>().toEqualTypeOf<OperationId>();
  });

  test("is the result on the wire, if each bigint is a string", () => {
    type Results = { [Id in OperationId]: ResultOf<Id> };
    expectTypeOf<{ [Id in OperationId]: Wire<BigintResults[Id]> }>().branded.toEqualTypeOf<Wire<Results>>();
  });

  test("is not mistaken for the result on the wire", () => {
    expectTypeOf<BigintTransaction>().not.toExtend<Transaction>();
    expectTypeOf<Transaction>().not.toExtend<BigintTransaction>();
  });
});

test("BigintOf names the type of any part of a response", () => {
  expectTypeOf<BigintOf<Transaction[]>>().toEqualTypeOf<BigintTransaction[]>();
  expectTypeOf<BigintOf<LocatedTransaction>>().toEqualTypeOf<BigintLocatedTransaction>();
  expectTypeOf<BigintOf<BlockId | undefined>>().toEqualTypeOf<BigintBlockId | undefined>();
  expectTypeOf<{ [Id in OperationId]: BigintOf<ResultOf<Id>> }>().toEqualTypeOf<{ [Id in OperationId]: BigintResults[Id] }>();
  expectTypeOf<BigintOf<ConsensusBlock>>().toEqualTypeOf<ConsensusBlock>();
});
