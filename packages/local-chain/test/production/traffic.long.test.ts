import { hex, writeBoc } from "@chain-query/format/cells";
import type { StepAccount } from "@chain-query/format/store";
import { BUSY, BUSY_STEPS, RESHARDED } from "@chain-query/testing/chains";
import { loadShardAccount, type ShardAccount, type Transaction } from "@ton/core";
import { expect, test } from "vitest";
import { createPopulation } from "../../src/genesis/population.ts";
import { openChain } from "../../src/reading/chain-reader.ts";
import { madeChain, stepsOf } from "../../src/testing/made-chain.ts";
import { blocksOf, coreCell, type ReadTransaction, transactionsOf } from "./produced-chain.ts";

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

test("puppets send to addresses outside, change their code, publish libraries, are deleted and made again", async () => {
  const directory = await madeChain(RESHARDED);
  const steps = await stepsOf(directory);
  const { puppets } = createPopulation(BigInt(RESHARDED.seed));
  const isPuppet = ({ account }: Pick<StepAccount, "account">) => puppets.some(({ id }) => hex(id.hash) === hex(account.hash));
  const states = steps.flatMap((step, i) =>
    step.accounts.filter(isPuppet).map(({ account, shardAccount }) => ({
      at: i + 1,
      account,
      ...lifeOf(loadShardAccount(coreCell(writeBoc(shardAccount)).beginParse())),
    })),
  );
  const lives = puppets.map(({ id }) => states.filter(({ account }) => hex(account.hash) === hex(id.hash)));
  const changing = lives.filter((life) => new Set(life.flatMap(({ code }) => code ?? [])).size > 1);
  expect(changing.length).toBeGreaterThan(3);
  const again = lives.filter((life) => life.some(({ code }, i) => !code && life.slice(i).some((later) => later.code)));
  expect(again.length).toBeGreaterThan(1);
  expect(states.some(({ libraries }) => libraries > 0)).toBe(true);

  const reader = openChain(directory);
  for (const { account, at, code, lastLt } of states) {
    const state = reader.account(account, at);
    expect([state?.status, state?.last.lt]).toEqual(code ? ["active", lastLt] : ["uninitialized", 0n]);
  }
  let begun = 0;
  for (const life of lives) {
    // A history begins anew after the deletion of its account, as in the states of shards, which do not have it then.
    const account = life[0]?.account ?? expect.fail();
    const history = [...reader.transactions(account)];
    const [deletion] = life.filter(({ code, at }) => !code && life.some((later) => later.code && later.at > at)).slice(-1);
    const first = history.at(-1);
    expect(first?.previous).toEqual({ lt: 0n, hash: new Uint8Array(32) });
    if (deletion === undefined) continue;
    expect(first?.id.lt).toBeGreaterThan(deletion.lastLt);
    // Older transactions are found by their ids.
    expect(reader.transaction(account, deletion.lastLt)?.id.lt).toBe(deletion.lastLt);
    begun += 1;
  }
  expect(begun).toBeGreaterThan(1);
  await reader.close();

  const chain = { steps: steps.map((commit) => ({ commit })) };
  const outside = transactionsOf(chain).flatMap(({ transaction }) =>
    transaction.outMessages.values().flatMap(({ info }) => (info.type === "external-out" && info.dest ? [info.dest.bits] : [])),
  );
  expect(outside).toContain(64);
});

/** The code of an account and the number of its libraries; no code if it does not exist. */
function lifeOf({ account, lastTransactionLt }: ShardAccount) {
  const state = account?.storage.state.type === "active" ? account.storage.state.state : undefined;
  return { code: state?.code?.hash().toString("hex"), libraries: state?.libraries?.size ?? 0, lastLt: lastTransactionLt };
}
