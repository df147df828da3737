import type { Transaction } from "@ton/core";
import { expect, test } from "vitest";
import { openChain } from "../../src/reading/chain-reader.ts";
import { madeChain } from "../../src/testing/made-chain.ts";
import { BUSY, BUSY_STEPS, stepsOf } from "../busy-chain.ts";
import { blocksOf, type ReadTransaction, transactionsOf } from "./produced-chain.ts";

type Has = (entry: ReadTransaction & { readonly generic: Generic | undefined }) => boolean;
type Generic = Extract<Transaction["description"], { type: "generic" }>;

/** The kinds of transactions that the traffic must produce. */
const KINDS: Readonly<Record<string, Has>> = {
  "a text comment": (entry) => opOf(entry) === 0,
  "an encrypted comment": (entry) => opOf(entry) === 0x2167da4b,
  "a raw payload": (entry) => (opOf(entry) ?? 0) >= 0x10000000 && opOf(entry) !== 0x2167da4b,
  "a deploy with init_state by a message": ({ transaction: { inMessage, oldStatus, endStatus } }) =>
    inMessage?.info.type === "internal" && inMessage.init !== null && oldStatus !== "active" && endStatus === "active",
  "a deploy by an external message": ({ transaction: { inMessage, oldStatus, endStatus } }) =>
    inMessage?.info.type === "external-in" && oldStatus === "uninitialized" && endStatus === "active",
  "several out messages": ({ transaction }) => transaction.outMessagesCount >= 3,
  "a bounce": ({ generic }) => generic?.bouncePhase?.type === "ok",
  "a bounced message": ({ transaction: { inMessage } }) => inMessage?.info.type === "internal" && inMessage.info.bounced,
  "an abort in the compute phase": ({ generic }) =>
    generic?.aborted === true && generic.computePhase.type === "vm" && !generic.computePhase.success,
  "an abort in the action phase": ({ generic }) => generic?.aborted === true && generic.actionPhase?.success === false,
  "a message to an absent account that bounces": ({ transaction, generic }) =>
    transaction.oldStatus === "non-existing" && generic?.bouncePhase?.type === "ok",
  "a message to an absent account that stays": ({ transaction }) =>
    transaction.oldStatus === "non-existing" && transaction.endStatus === "uninitialized",
  "an external-in message": ({ transaction }) => transaction.inMessage?.info.type === "external-in",
  "an external-out message": ({ transaction }) =>
    transaction.outMessages.values().some(({ info }) => info.type === "external-out"),
  "a tick": ({ transaction: { description } }) => description.type === "tick-tock" && !description.isTock,
  "a tock": ({ transaction: { description } }) => description.type === "tick-tock" && description.isTock,
  "a storage fee of many days": ({ generic }) => (generic?.storagePhase?.storageFeesCollected ?? 0n) > 100_000n,
  "an account that freezes": ({ generic }) => generic?.storagePhase?.statusChange === "frozen",
  "an account that thaws": ({ transaction }) => transaction.oldStatus === "frozen" && transaction.endStatus === "active",
  "an account that is deleted": ({ generic }) => generic?.destroyed === true,
  "an extra currency": ({ transaction: { inMessage } }) =>
    inMessage?.info.type === "internal" && (inMessage.info.value.other?.size ?? 0) > 0,
  "a message to the masterchain": ({ transaction: { inMessage }, workchain }) =>
    workchain === -1 && inMessage?.info.type === "internal" && inMessage.info.src.workChain === 0,
  "a message from the masterchain": ({ transaction: { inMessage }, workchain }) =>
    workchain === 0 && inMessage?.info.type === "internal" && inMessage.info.src.workChain === -1,
};

test("the traffic produces every kind of transaction, long queues, and accounts in every state", async () => {
  const directory = await madeChain({ ...BUSY, shards: 4, resharding: "none", steps: BUSY_STEPS });
  const steps = await stepsOf(directory);
  const chain = { steps: steps.map((commit) => ({ commit })) };
  const entries = transactionsOf(chain).map((entry) => {
    const { description } = entry.transaction;
    return { ...entry, generic: description.type === "generic" ? description : undefined };
  });
  const missing = Object.entries(KINDS).flatMap(([kind, has]) => (entries.some(has) ? [] : [kind]));
  expect(missing).toEqual([]);

  const blocks = blocksOf(chain);
  expect(Math.max(...blocks.map(({ queueSize = 0 }) => queueSize))).toBeGreaterThan(50);
  expect(blocks.map(({ transactions }) => transactions.length)).toContain(BUSY.transactionLimit);

  const reader = openChain(directory);
  const touched = steps.flatMap(({ accounts }) => accounts.map(({ account }) => reader.account(account)));
  const statuses = new Set(touched.map((state) => `${state?.status}${(state?.balance ?? 0n) > 0n ? " with a balance" : ""}`));
  await reader.close();
  for (const status of ["active with a balance", "uninitialized with a balance", "uninitialized", "frozen"]) {
    expect(statuses).toContain(status);
  }
});

function opOf({ transaction: { inMessage } }: ReadTransaction): number | undefined {
  if (inMessage?.info.type !== "internal") return undefined;
  const body = inMessage.body.beginParse();
  return body.remainingBits >= 32 ? body.loadUint(32) : undefined;
}
