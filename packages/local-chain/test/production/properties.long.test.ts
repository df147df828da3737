import { rmSync } from "node:fs";
import { hex } from "@chain-query/format/cells";
import { addCurrencies, coinsOnly } from "@chain-query/format/currencies";
import { containsPrefix } from "@chain-query/format/identifiers";
import type { AccountId } from "@chain-query/format/store";
import { walkBlock } from "@chain-query/testing/block-walker/block";
import type { CommonMessageInfoInternal } from "@ton/core";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import type { LocalChain } from "../../src/domain.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import { verifyChain } from "../../src/verify/verify-chain.ts";
import {
  blocksOf,
  messageName,
  type ProducedChain,
  producedChain,
  type ReadTransaction,
  rawAddress,
  transactionsOf,
} from "./produced-chain.ts";

const STEPS = 16;

const anyOptions = fc.record({
  seed: fc.nat(),
  shards: fc.constantFrom(1, 2, 4, 8),
  accounts: fc.integer({ min: 5, max: 60 }),
  rate: fc.integer({ min: 1, max: 30 }),
  transactionLimit: fc.integer({ min: 4, max: 20 }),
  blockInterval: fc.constantFrom(1, 5, 86_400),
  resharding: fc.constantFrom("none" as const, 1, 2),
  shardBlocks: fc.constantFrom("one" as const, "uneven" as const),
});

/** A chain whose queues are long while its shards split and merge. */
const RESHARDING = {
  seed: 3,
  shards: 1,
  accounts: 40,
  rate: 24,
  transactionLimit: 8,
  blockInterval: 5,
  resharding: 1,
  burnedFees: 30,
  shardBlocks: "one",
  puppets: 30,
} as const;

/** Shards have none to three blocks in a step, and the configuration changes. */
const UNEVEN = { ...RESHARDING, rate: 40, keyBlocks: 4, shardBlocks: "uneven" } as const;

type Property = (chain: ProducedChain, reader: LocalChain) => void | Promise<void>;

type MadeChains = Map<string, Promise<ProducedChain>>;

async function holdsFor(chains: number, made: MadeChains, property: Property): Promise<void> {
  await fc.assert(
    fc.asyncProperty(anyOptions, async (options) => {
      const name = JSON.stringify(options);
      const making = made.get(name) ?? producedChain(options, STEPS);
      made.set(name, making);
      const chain = await making;
      const reader = openChain(chain.directory);
      try {
        await property(chain, reader);
      } finally {
        await reader.close();
      }
    }),
    { numRuns: chains + 2, seed: 1, endOnFailure: true, examples: [[RESHARDING], [UNEVEN]] },
  );
}

const chains = 1;
/** Every property holds for the same chains, which are made once; one of them splits and merges shards. */
const made: MadeChains = new Map();
const holds = (property: Property) => holdsFor(chains, made, property);
afterAll(async () => {
  for (const chain of made.values()) rmSync((await chain).directory, { recursive: true, force: true });
});

describe("a chain of any seed", () => {
  test("has blocks that an independent reader accepts, and that follow each other across splits and merges", async () => {
    const events = new Map<string, number>();
    await holds((chain, reader) => {
      const states = new Map<string, { readonly state: string; readonly isBeforeSplit: boolean }>();
      for (const block of blocksOf(chain)) {
        const walked = walkBlock(block.boc);
        expect(walked.seqno).toBe(block.id.seqno);
        for (const [i, { rootHash }] of walked.previous.entries()) {
          const before = states.get(rootHash) ?? { state: rootHash, isBeforeSplit: false };
          expect(walked.oldStates[i]).toBe(before.state);
          expect(walked.flags.afterSplit).toBe(before.isBeforeSplit);
        }
        states.set(hex(block.id.rootHash), { state: walked.newState, isBeforeSplit: walked.flags.beforeSplit });
        expect(hex(reader.state(block.id)?.hashAt(0) ?? Buffer.of())).toBe(walked.newState);
        for (const [name, isSet] of Object.entries(walked.flags)) if (isSet) events.set(name, (events.get(name) ?? 0) + 1);
      }
    });
    expect(events.get("afterSplit")).toBeGreaterThanOrEqual(6);
    expect(events.get("afterMerge")).toBeGreaterThanOrEqual(3);
  });

  test("burns a part of the fees in the masterchain, if its configuration says so", async () => {
    let most = 0n;
    await holds((chain) => {
      for (const { id, boc } of blocksOf(chain)) {
        const { flow } = walkBlock(boc);
        const [burned = 0n, collected = 0n] = [flow.burned.get(0), flow.feesCollected.get(0)];
        if (burned === 0n) continue;
        expect(id.workchain).toBe(-1);
        expect(burned).toBe(((burned + collected) * 30n) / 100n);
        if (burned > most) most = burned;
      }
    });
    expect(most).toBeGreaterThan(0n);
  });

  test("passes verifyChain", async () => {
    await holds(async (chain) => {
      expect(await verifyChain(chain.directory)).toMatchObject({ steps: STEPS, blocks: blocksOf(chain).length });
    });
  });

  test("conserves value: genesis - burnt fees = balances + value in flight", async () => {
    await holds(({ genesisValue, steps }) => {
      for (const { commit, balances, inFlight } of steps) {
        expect(addCurrencies(addCurrencies(balances, inFlight), coinsOnly(commit.burnt))).toEqual(genesisValue);
      }
      expect(steps.at(-1)?.commit.burnt).toBeGreaterThan(0n);
    });
  });

  test("orders the transactions of an account by lt, and a message before the transaction that it causes", async () => {
    await holds((chain) => {
      const ends = new Map<string, bigint>();
      for (const { workchain, transaction, block } of transactionsOf(chain)) {
        const account = rawAddress(accountOf({ workchain, transaction }));
        expect(transaction.lt).toBeGreaterThanOrEqual(ends.get(account) ?? 0n);
        expect(transaction.lt).toBeGreaterThan(block.startLt);
        ends.set(account, transaction.lt + BigInt(transaction.outMessagesCount) + 1n);
        expect(ends.get(account)).toBeLessThanOrEqual(block.endLt);
        const { info } = transaction.inMessage ?? {};
        if (info?.type === "internal") expect(transaction.lt).toBeGreaterThan(info.createdLt);
      }
    });
  });

  test("creates the i-th message of a transaction at its lt + 1 + i", async () => {
    await holds((chain) => {
      for (const { transaction } of transactionsOf(chain)) {
        for (const [i, { info }] of transaction.outMessages) {
          expect(info.type === "external-in" ? undefined : info.createdLt).toBe(transaction.lt + 1n + BigInt(i));
        }
      }
    });
  });

  test("delivers every internal message once, or keeps it in a queue", async () => {
    await holds((chain) => {
      const waiting = new Set<string>();
      for (const { transaction } of transactionsOf(chain)) {
        const { inMessage } = transaction;
        if (inMessage?.info.type === "internal") expect(waiting.delete(nameIn(inMessage.info))).toBe(true);
        for (const { info } of transaction.outMessages.values()) if (info.type === "internal") waiting.add(nameIn(info));
      }
      expect(chain.steps.at(-1)?.waiting.toSorted()).toEqual([...waiting].sort());
    });
  });

  test("changes a balance by the values of messages and the fee, which includes storage fees", async () => {
    await holds((chain, reader) => {
      const balances = new Map<string, bigint>();
      for (const entry of transactionsOf(chain)) {
        const id = accountOf(entry);
        const read = reader.transaction(id, entry.transaction.lt);
        const account = rawAddress(id);
        const before = balances.get(account) ?? reader.account(id, 0)?.balance ?? 0n;
        const forwardFees = read?.outMessages.reduce((sum, message) => sum + message.forwardFee, 0n) ?? 0n;
        expect(read?.fee).toBe(entry.transaction.totalFees.coins + forwardFees);
        const { description } = entry.transaction;
        expect(read?.storageFee).toBe(
          "storagePhase" in description ? (description.storagePhase?.storageFeesCollected ?? 0n) : 0n,
        );
        const sent = read?.outMessages.reduce((sum, message) => sum + message.value, 0n) ?? 0n;
        balances.set(account, before + (read?.inMessage?.value ?? 0n) - sent - (read?.fee ?? 0n));
      }
      for (const { commit } of chain.steps.slice(-1)) {
        for (const { account } of commit.accounts) {
          expect(reader.account(account)?.balance).toBe(balances.get(rawAddress(account)));
        }
      }
    });
  });

  test("finds blocks by lt and by time as a scan does", async () => {
    await holds((chain, reader) => {
      const blocks = blocksOf(chain);
      for (const { id, startLt, endLt, time } of blocks) {
        const own = blocks.filter((block) => containsPrefix(block.id, id));
        for (const lt of [startLt - 1n, startLt, startLt + 1n, endLt - 1n, endLt]) {
          expect(reader.block(id, { lt })?.id).toEqual(own.find((block) => block.endLt >= lt)?.id);
        }
        for (const at of [time - 1, time, time + 1]) {
          expect(reader.block(id, { time: at })?.id).toEqual(own.find((block) => block.time >= at)?.id);
        }
      }
    });
  });
});
function accountOf({ workchain, transaction }: Pick<ReadTransaction, "workchain" | "transaction">): AccountId {
  return { workchain, hash: Buffer.from(transaction.address.toString(16).padStart(64, "0"), "hex") };
}

function nameIn({ src, dest, createdLt }: CommonMessageInfoInternal): string {
  return messageName(src.toRawString(), dest.toRawString(), createdLt);
}
