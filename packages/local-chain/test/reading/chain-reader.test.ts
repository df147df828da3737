/** Compares every answer with one found by a scan of all steps. */

import { hex, writeBoc } from "@chain-query/format/cells";
import { type AccountId, ChainStoreError, type MessageKey } from "@chain-query/format/store";
import { decodeTransaction } from "@chain-query/format/transactions";
import { sharedFolder } from "@chain-query/testing/folders";
import { bigInt, assert as check, integer, property } from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LocalChain } from "../../src/domain.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import type { BlockCommit } from "../../src/store/commit.ts";
import { createStore, openStore } from "../../src/store/store.ts";
import { balanceAfter, syntheticAccount, syntheticGenesis } from "../../src/testing/synthetic-chain.ts";
import { firstSteps, SMALL, syntheticStore } from "../test-folders.ts";

const STEPS = 41;
const steps = firstSteps(STEPS);
const all = steps.flatMap(({ shards, masterchain }) =>
  shards.flatMap(({ transactions }) =>
    transactions.map(({ account, cell }) => ({
      account,
      cell,
      masterchainSeqno: masterchain.id.seqno,
      ...decodeTransaction(cell),
    })),
  ),
);
const BASECHAIN = { workchain: 0, shard: -(2n ** 63n) };
const ABSENT: AccountId = { workchain: 0, hash: new Uint8Array(32) };
const isSame = (a: AccountId, b: AccountId) => a.workchain === b.workchain && hex(a.hash) === hex(b.hash);
const historyOf = (account: AccountId) => all.filter((transaction) => isSame(transaction.account, account)).reverse();

const directory = sharedFolder();
let chain: LocalChain;

beforeAll(async () => {
  await createStore(directory, syntheticGenesis(SMALL));
  const writer = openStore(directory);
  for (const step of steps) await writer.commit(step);
  await writer.close();
  chain = openChain(directory);
});
afterAll(() => chain.close());

describe("head", () => {
  test("is the newest masterchain block, with all transactions up to it", () => {
    expect(chain.head().block.id).toEqual(steps.at(-1)?.masterchain.id);
    expect(chain.head().transactionCount).toBe(BigInt(all.length));
    expect(chain.shards().map(({ id }) => id)).toEqual([steps.at(-1)?.masterchain.id, steps.at(-1)?.shards[0]?.id]);
    expect(chain.shards().map(({ queueSize }) => queueSize)).toEqual([0, 1]);
  });

  test("sets the beginning of the retained history", () => {
    expect(chain.retainedSince()).toBe(chain.head().block.time - syntheticGenesis(SMALL).retentionSeconds);
  });
});

describe("account", () => {
  test("has the state after each masterchain block", () => {
    for (let index = 0; index < SMALL.accounts; index++) {
      const account = syntheticAccount(index);
      const history = historyOf(account);
      for (let seqno = 0; seqno <= STEPS; seqno++) {
        const newest = history.find(({ masterchainSeqno }) => masterchainSeqno <= seqno);
        expect(chain.account(account, seqno)).toMatchObject({
          account,
          status: "active",
          balance: balanceAfter(newest?.masterchainSeqno ?? 0),
          last: newest?.id ?? { lt: 0n, hash: new Uint8Array(32) },
          block: { id: { workchain: -1, seqno } },
        });
      }
      expect(chain.account(account)).toEqual(chain.account(account, STEPS));
    }
  });

  test("has code and data as bags of cells", () => {
    const commit = steps[0]?.accounts[0] ?? expect.fail();
    const [code, data] = commit.shardAccount.refs[0]?.refs ?? [];
    const state = chain.account(commit.account, 1);
    expect(state?.code && hex(state.code)).toBe(code && hex(writeBoc(code)));
    expect(state?.data && hex(state.data)).toBe(data && hex(writeBoc(data)));
  });

  test("that never existed is uninitialized and empty", () => {
    expect(chain.account(ABSENT)).toEqual({
      account: ABSENT,
      status: "uninitialized",
      isSuspended: false,
      balance: 0n,
      extraCurrencies: [],
      last: { lt: 0n, hash: new Uint8Array(32) },
      block: chain.head().block,
    });
    expect(chain.account({ workchain: -1, hash: syntheticAccount(0).hash })?.balance).toBe(0n);
    expect(chain.account({ workchain: 256, hash: syntheticAccount(0).hash })?.balance).toBe(0n);
  });

  test("has no state as of a future block", () => {
    expect(chain.account(syntheticAccount(0), STEPS + 1)).toBeUndefined();
  });
});

describe("transactions", () => {
  test("are complete and newest first, each with the previous one", () => {
    for (let index = 0; index < SMALL.accounts; index++) {
      const account = syntheticAccount(index);
      const expected = historyOf(account);
      const found = [...chain.transactions(account)];
      expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      for (const [i, transaction] of found.entries()) {
        const { cell, ...decoded } = expected[i] ?? expect.fail();
        expect(transaction).toMatchObject({
          account,
          previous: decoded.previous,
          time: decoded.time,
          fee: decoded.fee,
          storageFee: decoded.storageFee,
          masterchainSeqno: decoded.masterchainSeqno,
        });
        expect(hex(transaction.data)).toBe(hex(writeBoc(cell)));
        expect(transaction.outMessages.map(({ hash, createdLt }) => [hex(hash), createdLt])).toEqual(
          decoded.outMessages.map(({ hash, createdLt }) => [hex(hash), createdLt]),
        );
        expect(transaction.inMessage?.source).toEqual(decoded.inMessage?.source);
        expect(transaction.inMessage?.comment?.bytes).toEqual(decoded.inMessage?.comment?.bytes);
      }
    }
  });

  test("start at a logical time and end above another", () => {
    const account = syntheticAccount(3);
    const history = historyOf(account).map(({ id }) => id.lt);
    check(
      property(integer({ min: 0, max: history.length - 1 }), integer({ min: 0, max: history.length - 1 }), (from, to) => {
        const fromLt = history[from] ?? 0n;
        const aboveLt = history[to] ?? 0n;
        expect(Array.from(chain.transactions(account, { fromLt, aboveLt }), ({ id }) => id.lt)).toEqual(
          history.filter((lt) => lt <= fromLt && lt > aboveLt),
        );
      }),
      { seed: 1 },
    );
  });

  test("are empty for an account without transactions, and from a logical time without one", () => {
    expect([...chain.transactions(ABSENT)]).toEqual([]);
    expect([...chain.transactions(syntheticAccount(3), { fromLt: 5n })]).toEqual([]);
    expect(chain.transaction(syntheticAccount(3), 5n)).toBeUndefined();
  });

  test("leave no cursor open if the caller stops early", () => {
    for (let i = 0; i < 500; i++) {
      for (const { id } of chain.transactions(syntheticAccount(i % SMALL.accounts))) {
        expect(id.lt).toBeGreaterThan(0n);
        break;
      }
    }
  });
});

describe("block", () => {
  const blocksOf = (workchain: number): readonly BlockCommit[] =>
    workchain === -1 ? steps.map(({ masterchain }) => masterchain) : steps.flatMap(({ shards }) => shards);

  test("is found by its number", () => {
    for (const workchain of [-1, 0]) {
      for (const block of blocksOf(workchain)) {
        expect(chain.block(block.id, { seqno: block.id.seqno })).toEqual({
          id: block.id,
          startLt: block.startLt,
          endLt: block.endLt,
          time: block.time,
          stateRootHash: block.stateRootHash,
          previous: block.previous,
          queueSize: block.queueSize,
          transactionCount: block.transactions.length,
          masterchainSeqno: block.id.seqno,
        });
        expect(hex(chain.blockData(block.id) ?? Buffer.of())).toBe(hex(block.boc));
      }
    }
    expect(chain.block(BASECHAIN, { seqno: 0 })).toBeUndefined();
    expect(chain.block(BASECHAIN, { seqno: STEPS + 1 })).toBeUndefined();
    expect(chain.blockData({ ...BASECHAIN, seqno: STEPS + 1 })).toBeUndefined();
  });

  test("is found by logical time as by a scan", () => {
    const last = steps.at(-1)?.masterchain.endLt ?? 0n;
    check(
      property(bigInt({ min: 0n, max: last + 5n }), integer({ min: -1, max: 0 }), (lt, workchain) => {
        const expected = blocksOf(workchain).find(({ endLt }) => endLt >= lt);
        expect(chain.block({ ...BASECHAIN, workchain }, { lt })?.id).toEqual(expected?.id);
      }),
      { numRuns: 500, seed: 1 },
    );
    for (const { startLt, endLt, id } of blocksOf(0)) {
      expect(chain.block(BASECHAIN, { lt: startLt })?.id).toEqual(id);
      expect(chain.block(BASECHAIN, { lt: endLt - 1n })?.id).toEqual(id);
      expect(chain.block(BASECHAIN, { lt: endLt })?.id).toEqual(id);
      expect(chain.block(BASECHAIN, { lt: endLt + 1n })?.id.seqno).toBe(id.seqno === STEPS ? undefined : id.seqno + 1);
    }
  });

  test("is found by time as by a scan", () => {
    const first = steps[0]?.masterchain.time ?? 0;
    check(
      property(integer({ min: first - 10, max: first + STEPS * 5 + 10 }), integer({ min: -1, max: 0 }), (time, workchain) => {
        const expected = blocksOf(workchain).find((block) => block.time >= time);
        expect(chain.block({ ...BASECHAIN, workchain }, { time })?.id).toEqual(expected?.id);
      }),
      { numRuns: 500, seed: 1 },
    );
    expect(chain.block(BASECHAIN, { time: 0 })?.id.seqno).toBe(1);
    expect(chain.block(BASECHAIN, { time: 2 ** 32 })).toBeUndefined();
    expect(chain.block(BASECHAIN, { lt: 2n ** 64n })).toBeUndefined();
  });

  test("is found for a shard within one of the chain, in the same workchain", () => {
    expect(chain.block({ workchain: 0, shard: 0x2000000000000000n }, { seqno: 1 })?.id).toMatchObject(BASECHAIN);
    expect(chain.block({ workchain: 1, shard: BASECHAIN.shard }, { seqno: 1 })).toBeUndefined();
    expect(chain.block({ workchain: 0, shard: 0n }, { seqno: 1 })).toBeUndefined();
  });
});

describe("numbers out of range", () => {
  test("find nothing, and not the record of another number", () => {
    const account = syntheticAccount(0);
    for (const seqno of [-1, 1.5, Number.NaN, 2 ** 32]) {
      expect(chain.account(account, seqno)).toBeUndefined();
      expect(chain.block(BASECHAIN, { seqno })).toBeUndefined();
      expect(chain.block(BASECHAIN, { time: seqno })).toBeUndefined();
      expect(chain.blockData({ ...BASECHAIN, seqno })).toBeUndefined();
    }
    for (const lt of [-1n, 2n ** 64n]) {
      expect(chain.block(BASECHAIN, { lt })).toBeUndefined();
      expect(chain.transaction(account, lt)).toBeUndefined();
      expect([...chain.transactions(account, { fromLt: lt })]).toEqual([]);
      expect(chain.findSender({ source: account, destination: account, createdLt: lt })).toBeUndefined();
    }
    expect(() => chain.account({ ...account, workchain: 2 ** 32 })).toThrow(RangeError);
    expect(() => chain.account({ ...account, workchain: 0.5 })).toThrow(RangeError);
  });
});

describe("close", () => {
  test("ends histories that are being read or were not started", async () => {
    const other = openChain(directory);
    const begun = other.transactions(syntheticAccount(3));
    const waiting = other.transactions(syntheticAccount(3));
    expect(begun.next().done).toBe(false);
    await other.close();
    for (const history of [begun, waiting]) expect(() => history.next()).toThrow(new ChainStoreError("the chain is closed"));
  });
});

describe("the ends of a message", () => {
  const sent = all.flatMap((producer) => producer.outMessages.map((message) => ({ producer, message })));

  test("finds the producer and the consumer of each message as a scan does", () => {
    expect(sent.length).toBeGreaterThan(STEPS);
    for (const { producer, message } of sent) {
      const consumer = all.find(({ inMessage }) => inMessage && hex(inMessage.hash) === hex(message.hash));
      const found = chain.findSender(message as MessageKey);
      expect(found?.id).toEqual(producer.id);
      expect(found?.account).toEqual(producer.account);
      expect(chain.findReceiver(message as MessageKey)?.id).toEqual(consumer?.id);
    }
  });

  test("finds only the producer while a message waits", () => {
    const { message, producer } = sent.at(-1) ?? expect.fail();
    expect(chain.findSender(message as MessageKey)?.id).toEqual(producer.id);
    expect(chain.findReceiver(message as MessageKey)).toBeUndefined();
  });

  test("finds nothing of a message that does not exist", () => {
    const { source, destination, createdLt } = (sent[0] ?? expect.fail()).message as MessageKey;
    for (const key of [
      { source, destination, createdLt: createdLt + 1n },
      { source: destination, destination: source, createdLt },
    ])
      expect([chain.findSender(key), chain.findReceiver(key)]).toEqual([undefined, undefined]);
  });
});

const nextTick = () => new Promise((resolve) => setTimeout(resolve, 1));

describe("openChain", () => {
  test("follows a writer, and shows complete steps only", async () => {
    const { directory } = await syntheticStore(0);
    const writer = openStore(directory);
    const chain = openChain(directory);
    for (const step of firstSteps(20)) {
      await writer.commit(step);
      // LMDB makes a new snapshot in each tick.
      await nextTick();
      expect(chain.head().block.id.seqno).toBe(step.masterchain.id.seqno);
      for (const { id } of chain.shards()) expect(chain.blockData(id)).toBeDefined();
    }
    await writer.close();
    await chain.close();
  });

  test("throws after close, and closes once", async () => {
    const { directory } = await syntheticStore(1);
    const chain = openChain(directory);
    await Promise.all([chain.close(), chain.close()]);
    expect(() => chain.head()).toThrow(/is closed/);
  });

  test("opens a folder several times", async () => {
    const { directory } = await syntheticStore(1);
    const chains = [openChain(directory), openChain(directory), openChain(directory)];
    for (const chain of chains) expect(chain.head().block.id.seqno).toBe(1);
    await chains[0]?.close();
    expect(chains[1]?.head().block.id.seqno).toBe(1);
    await Promise.all(chains.map((chain) => chain.close()));
  });
});
