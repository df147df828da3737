import type { ShardAccount } from "@chain-query/format/accounts";
import { assembleBlock, type BlockContent, type BlockTransaction } from "@chain-query/format/blocks";
import { addCurrencies, coinsOnly } from "@chain-query/format/currencies";
import { beforeAll, describe, expect, test } from "vitest";
import { tellStory } from "./story.ts";

let contents: readonly BlockContent[];

beforeAll(async () => {
  ({ contents } = await tellStory());
});

/** The story's block with its parts changed. */
function changed(block: number, change: (content: BlockContent) => Partial<BlockContent>): () => unknown {
  const content = contents[block] as BlockContent;
  return () => assembleBlock({ ...content, ...change(content) });
}

function withAccount({ transactions }: BlockContent, change: (account: ShardAccount) => ShardAccount): Partial<BlockContent> {
  const last = transactions.at(-1) as BlockTransaction;
  return { transactions: [...transactions.slice(0, -1), { ...last, account: change(last.account as ShardAccount) }] };
}

describe("assembleBlock", () => {
  test("refuses value that appears from nothing", () => {
    const richer = changed(0, (content) =>
      withAccount(content, (account) => ({ ...account, balance: addCurrencies(account.balance, coinsOnly(1n)) })),
    );
    expect(richer).toThrow(/^a block does not keep value: \d+ and .* comes in, \d+ and .* goes out$/);
  });

  test("refuses an account that is not the one its transaction leads to", () => {
    const other = changed(0, (content) =>
      withAccount(content, (account) => ({ ...account, account: { hash: new Uint8Array(32), depth: 1 } })),
    );
    expect(other).toThrow(/^a transaction of account 2202.* does not lead to the account's state$/);
  });

  test("refuses a transaction that does not go on from its account's state", () => {
    const skipped = changed(0, ({ transactions }) => ({ transactions: transactions.slice(1) }));
    expect(skipped).toThrow(/^message [0-9a-f]{64} arrives without having been sent$/);
    expect(changed(0, ({ transactions }) => ({ transactions: transactions.slice(1, 2) }))).toThrow(
      /^a transaction of account 1101.* does not go on from the account's state$/,
    );
  });

  test("refuses a message of its shard that left no queue", () => {
    const never = changed(3, ({ before, transactions: [taken] }) => ({
      before: { ...before, queue: before.queue.delete(taken?.from?.key ?? new Uint8Array(44)) },
    }));
    const twice = changed(3, ({ transactions }) => ({ transactions: [...transactions, ...transactions] }));
    expect(never).toThrow(/^message [0-9a-f]{64} leaves a queue in which it is not$/);
    expect(twice).toThrow(/^message [0-9a-f]{64} leaves a queue in which it is not$/);
  });

  test("refuses times that do not lie after the block before, and transactions outside of them", () => {
    expect(changed(3, () => ({ startLt: 5n }))).toThrow("lt 5 to 3000100 is no time after 1000100");
    expect(changed(3, () => ({ endLt: 3_000_000n }))).toThrow("lt 3000000 to 3000000 is no time after 1000100");
    expect(changed(3, () => ({ time: 1 }))).toThrow("a block of time 1 cannot follow one of 1770000001");
    expect(changed(3, () => ({ endLt: 3_000_001n }))).toThrow("a transaction of lt 3000001 does not lie in 3000000 to 3000001");
  });

  test("refuses a shard block without a masterchain block, and a masterchain block with one", () => {
    const message = "shard blocks refer to a masterchain block, and masterchain blocks to none";
    const { master: _, ...alone } = contents[0] as BlockContent;
    expect(() => assembleBlock(alone)).toThrow(message);
    expect(changed(2, ({ previous }) => ({ master: previous }))).toThrow(message);
  });

  test("refuses a random seed of another length", () => {
    expect(changed(0, () => ({ randomSeed: new Uint8Array(31) }))).toThrow("a random seed of 31 bytes is none of 32");
  });

  test("refuses shards that do not cover the basechain, or that overlap", () => {
    expect(changed(2, ({ shards = [] }) => ({ shards: shards.slice(1) }))).toThrow("no block is given for shard");
    expect(
      changed(2, ({ shards: [first, second] = [] }) => ({
        shards: first && second ? [first, second, { ...first, shard: 2n ** 61n }] : [],
      })),
    ).toThrow("a shard lies within another one");
  });
});
