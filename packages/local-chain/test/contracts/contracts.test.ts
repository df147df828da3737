import { type Cell, CellBuilder, readBoc, writeBoc } from "@chain-query/format/cells";
import { coinsOnly } from "@chain-query/format/currencies";
import { readTransactionHeader } from "@chain-query/format/transactions";
import { Cell as CoreCell, loadShardAccount, loadTransaction } from "@ton/core";
import { beforeAll, describe, expect, test } from "vitest";
import { type Contract, contract, initialState, type Order, owner, wallet, walletOrder } from "../../src/contracts/contract.ts";
import { createMachine, type Machine } from "../../src/execution/machine.ts";
import { genesisShardAccount } from "../../src/genesis/accounts.ts";
import { configuration } from "../../src/genesis/configuration.ts";
import { externalMessage, internalMessage, relayBody } from "../../src/traffic/messages.ts";

const NOW = 1_700_000_000;
const LT = 5_000_001n;
const LATER = 6_000_001n;
const COIN = 1_000_000_000n;
const me = owner(new Uint8Array(32).fill(7));
const relay = contract("relay", new CellBuilder().cell());
const myWallet = wallet(me, 9);
const zero = { workchain: 0, shard: -(2n ** 63n), seqno: 0, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) };
const config = base64(configuration({ zero, shards: 1 }, NOW, []));
let machine: Machine;

beforeAll(async () => {
  machine = await createMachine();
});

describe("a wallet", () => {
  const transfer = order({ to: 1, value: COIN });

  test.each([
    ["a wrong seqno", () => external(1, [transfer])],
    ["another wallet's id", () => external(0, [transfer], { walletId: 8 })],
    ["an expired time", () => external(0, [transfer], { until: NOW })],
    ["another owner's signature", () => external(0, [transfer], { by: owner(new Uint8Array(32).fill(8)) })],
  ])("refuses an order with %s", async (_, message) => {
    await expect(deliver(myWallet, message())).rejects.toThrow("refused");
  });
});

describe("a relay", () => {
  test("sends the messages of an order", async () => {
    const body = relayBody([order({ to: 1, value: COIN / 10n }), order({ to: 2, value: COIN / 10n })]);
    expect((await deliver(relay, await arrived(relay, { body }))).sent).toBe(2);
  });
});

describe("an account of the zero state", () => {
  test("has the used storage that the virtual machine computes", async () => {
    const keeper = contract("keeper", new CellBuilder().uint(1, 8).ref(new CellBuilder().uint(2, 8).cell()).cell());
    const before = CoreCell.fromBase64(context(keeper, 0).account);
    // The encoded balance keeps its length, so the used bits are equal.
    const { storageUsed } = await deliver(keeper, await arrived(keeper, {}));
    expect(loadShardAccount(before.beginParse()).account?.storageStats.used).toEqual(storageUsed);
  });
});

function order({ to, value }: { to: number; value: bigint }): Order {
  const hash = new Uint8Array(32).fill(to);
  return { mode: 3, message: internalMessage({ to: { workchain: 0, hash }, value: coinsOnly(value), bounce: true }) };
}

function external(seqno: number, orders: readonly Order[], { walletId = 9, until = NOW + 60, by = me } = {}): Cell {
  return externalMessage({ workchain: 0, hash: addressOf(myWallet) }, walletOrder(by, walletId, until, seqno, orders));
}

/** An internal message with the fields that the sender's transaction fills in. */
async function arrived(to: Contract, { body }: { body?: Cell }): Promise<Cell> {
  const message = internalMessage({ to: idOf(to, 0), value: coinsOnly(COIN), bounce: true, ...(body && { body }) });
  const sent = await machine.deliver(writeBoc(external(0, [{ mode: 3, message }])), context(myWallet, 0));
  if ("refused" in sent) throw new Error(sent.refused);
  return readTransactionHeader(readBoc(Buffer.from(sent.transaction, "base64"))).outMessages[0]?.cell as Cell;
}

async function deliver(
  to: Contract | undefined,
  message: Cell,
): Promise<{ readonly sent: number; readonly storageUsed: unknown }> {
  const run = await machine.deliver(writeBoc(message), context(to, 0, LATER));
  if ("refused" in run) throw new Error(`refused: ${run.refused}`);
  const { account } = loadShardAccount(CoreCell.fromBase64(run.account).beginParse());
  const { outMessagesCount: sent } = loadTransaction(CoreCell.fromBase64(run.transaction).beginParse());
  return { sent, storageUsed: account?.storageStats.used };
}

function context(of: Contract | undefined, workchain: number, lt = LT) {
  const balance = { coins: 50n * COIN, extra: [{ id: 100, amount: 5n }] };
  const uninitialized = { id: idOf(myWallet, 0), balance, paidUntil: NOW };
  const account = of ? { id: idOf(of, workchain), balance, contract: of, paidUntil: NOW } : uninitialized;
  return { config, account: base64(genesisShardAccount(account)), time: NOW, lt, randomSeed: new Uint8Array(32).fill(1) };
}

function idOf(of: Contract, workchain: number) {
  return { workchain, hash: addressOf(of) };
}

function addressOf(of: Contract): Uint8Array {
  return initialState(of).hash;
}

function base64(cell: Cell): string {
  return Buffer.from(writeBoc(cell)).toString("base64");
}
