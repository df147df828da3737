import { readEnvelope } from "@chain-query/testing/block-walker/messages";
import { describe, expect, test } from "vitest";
import { CellBuilder } from "../../src/cells/cell-builder.ts";
import { Trie } from "../../src/dictionaries/trie.ts";
import { type AccountId, type ShardId, writeAddress } from "../../src/identifiers.ts";
import { type MessageHeader, readMessageHeader } from "../../src/messages.ts";
import { createImmediateEnvelope, createQueuedMessage, MESSAGE_QUEUE, processedInfo } from "../../src/states/message-queue.ts";
import { toCoreCell } from "../core-cell.ts";

const SHARD: ShardId = { workchain: 0, shard: 2n ** 60n };
const account = (workchain: number, byte: number): AccountId => ({ workchain, hash: new Uint8Array(32).fill(byte) });

function message(source: AccountId, destination: AccountId, createdLt: bigint): MessageHeader {
  const builder = new CellBuilder().uint(0b0100, 4);
  writeAddress(writeAddress(builder, source), destination);
  const cell = builder
    .coins(5n)
    .bit(false)
    .coins(0n)
    .coins(7n)
    .bigUint(createdLt, 64)
    .uint(1_770_000_000, 32)
    .uint(0, 2)
    .cell();
  return readMessageHeader(cell);
}

describe("createQueuedMessage", () => {
  const here = message(account(0, 0x11), account(0, 0x12), 9n);

  const keyOf = (to: AccountId, from = account(0, 0x11)) =>
    Buffer.from(createQueuedMessage(message(from, to, 1n), SHARD).key).toString("hex", 0, 12);

  test("routes a message within its shard to its destination", () => {
    expect(keyOf(account(0, 0x12))).toBe("000000001212121212121212");
    const { envelope, enqueuedLt } = createQueuedMessage(here, SHARD);
    expect(readEnvelope(toCoreCell(envelope))).toMatchObject({ currentBits: 96, nextBits: 96, feeLeft: 7n });
    expect(enqueuedLt).toBe(9n);
    expect(Buffer.from(envelope.hash)).toEqual(Buffer.from(createImmediateEnvelope(here).hash));
  });

  test("routes a message to another shard by four bits of its destination", () => {
    expect(keyOf(account(0, 0x92))).toBe("000000009111111111111111");
    const { envelope } = createQueuedMessage(message(account(0, 0x11), account(0, 0x92), 1n), SHARD);
    expect(readEnvelope(toCoreCell(envelope))).toMatchObject({ currentBits: 32, nextBits: 36 });
  });

  test("routes a message to and from the masterchain in one hop", () => {
    expect(keyOf(account(-1, 0x33))).toBe("ffffffff3333333333333333");
    expect(keyOf(account(0, 0x33), account(-1, 0x55))).toBe("000000003333333333333333");
    const { envelope } = createQueuedMessage(message(account(0, 0x11), account(-1, 0x33), 1n), SHARD);
    expect(readEnvelope(toCoreCell(envelope))).toMatchObject({ currentBits: 0, nextBits: 96 });
  });

  test("rejects a message to outside the chain", () => {
    const outside = { ...here, kind: "external-out" as const, destination: undefined };
    expect(() => createQueuedMessage(outside, SHARD)).toThrow(new TypeError("only internal messages can be queued"));
  });

  test("is an entry of a queue, whose extra is the lowest creation lt", () => {
    const entries = [9n, 4n, 12n].map((lt) =>
      createQueuedMessage(message(account(0, 0x11), account(0, Number(lt)), lt), SHARD),
    );
    const queue = Trie.from(
      MESSAGE_QUEUE,
      entries.map((each) => [each.key, each] as const),
    );
    expect(queue.extra).toBe(4n);
    expect(queue.delete(entries[1]?.key ?? new Uint8Array(44)).extra).toBe(9n);
    expect(Trie.empty(MESSAGE_QUEUE).extra).toBe(0n);
  });
});

describe("processedInfo", () => {
  test("has keys of shard and masterchain block", () => {
    const lastHash = new Uint8Array(32).fill(3);
    const trie = processedInfo([
      { shard: -(2n ** 62n), masterchainSeqno: 5, lastLt: 9n, lastHash },
      { shard: 2n ** 62n, masterchainSeqno: 4, lastLt: 8n, lastHash },
    ]);
    const keys = Array.from(trie, ([key]) => Buffer.from(key).toString("hex"));
    expect(keys).toEqual(["400000000000000000000004", "c00000000000000000000005"]);
  });
});
