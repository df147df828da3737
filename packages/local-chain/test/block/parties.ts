import { createRequire } from "node:module";
import { readShardAccount, type ShardAccount } from "@chain-query/format/accounts";
import type { BlockTransaction } from "@chain-query/format/blocks";
import { type Cell, CellBuilder, readBoc, writeBoc } from "@chain-query/format/cells";
import { type Currencies, writeCurrencies } from "@chain-query/format/currencies";
import type { QueuedMessage } from "@chain-query/format/states";
import { readTransactionParts } from "@chain-query/format/transactions";
import { Address, beginCell, Cell as CoreCell, Dictionary, storeShardAccount } from "@ton/core";
import type { AccountId } from "../../src/domain.ts";
import { createMachine, type Machine } from "../../src/execution/machine.ts";

/** An account that takes part in a story. */
export interface Party {
  readonly id: AccountId;
  /** TL-B ShardAccount, as the virtual machine gave it last. */
  cell: Cell;
}

/** The virtual machine with a real network's configuration, shortened. */
export async function machine(): Promise<Machine> {
  const { slimConfig }: { slimConfig: string } = createRequire(import.meta.url)("@ton/sandbox/dist/config/slimConfig.js");
  return createMachine(slimConfig);
}

/** The configuration's root, for states to hold. */
export function configuration(): Cell {
  const { slimConfig }: { slimConfig: string } = createRequire(import.meta.url)("@ton/sandbox/dist/config/slimConfig.js");
  return readBoc(Buffer.from(slimConfig, "base64"));
}

/**
 * Accepts whatever comes, and sends each message that its body refers to, up to three, paying for them apart. In order: set the
 * codepage, drop the selector, accept; then three times: end where no reference is left, load it, send it with mode 1.
 */
const FORWARDER = `ff0030f800${"20c702dcd40171fb00".repeat(3)}`;

/** An active account; the first byte of its address is `first`, and all others are `rest`. */
export function party(
  workchain: number,
  first: number,
  rest: number,
  balance: bigint,
  extra: readonly [number, bigint][] = [],
): Party {
  const hash = Buffer.alloc(32, rest);
  hash[0] = first;
  const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
  for (const [id, amount] of extra) other.set(id, amount);
  const code = beginCell().storeBuffer(Buffer.from(FORWARDER, "hex")).endCell();
  const account = {
    addr: new Address(workchain, hash),
    storageStats: { used: { cells: 3n, bits: 500n }, lastPaid: 1_700_000_000, duePayment: null, storageExtra: null },
    storage: {
      lastTransLt: 0n,
      balance: { coins: balance, other },
      state: { type: "active" as const, state: { code, data: new CoreCell() } },
    },
  };
  const cell = beginCell()
    .store(storeShardAccount({ account, lastTransactionHash: 0n, lastTransactionLt: 0n }))
    .endCell();
  return { id: { workchain, hash: Uint8Array.from(hash) }, cell: readBoc(cell.toBoc()) };
}

/** The account of a party as a state holds it. */
export function accountOf(party: Party): ShardAccount {
  const account = readShardAccount(party.cell, "cell");
  if (!account) throw new TypeError("a party's account is gone");
  return account;
}

/** Hands a message to a party. */
export async function deliver(
  machine: Machine,
  to: Party,
  message: Cell,
  lt: bigint,
  time: number,
  from?: QueuedMessage,
): Promise<BlockTransaction> {
  const account = Buffer.from(writeBoc(to.cell)).toString("base64");
  const executed = await machine.deliver(writeBoc(message), { account, time, lt, randomSeed: new Uint8Array(32) });
  if ("refused" in executed) throw new Error(`a message was refused: ${executed.refused}`);
  to.cell = readBoc(Buffer.from(executed.account, "base64"));
  const transaction = readTransactionParts(readBoc(Buffer.from(executed.transaction, "base64")));
  return { transaction, account: readShardAccount(to.cell, "cell"), ...(from ? { from } : {}) };
}

/** A message from outside that makes a party send messages. */
export function order(to: Party, ...messages: readonly Cell[]): Cell {
  const body = new CellBuilder();
  for (const message of messages) body.ref(message);
  const head = new CellBuilder().uint(0b10, 2).uint(0, 2).uint(0b100, 3).int(to.id.workchain, 8).bytes(to.id.hash).coins(0n);
  return head.bit(false).bit(true).ref(body.cell()).cell();
}

/** A transfer as a contract sends it: source, fees and times are filled in on the way. `body` tells equal ones apart. */
export function transfer(to: Party, value: Currencies, body: number, flags = 0n): Cell {
  const head = new CellBuilder().bit(false).bit(true).bit(false).bit(false).uint(0, 2);
  head.uint(0b100, 3).int(to.id.workchain, 8).bytes(to.id.hash);
  writeCurrencies(head, value);
  return head.coins(flags).coins(0n).bigUint(0n, 64).uint(0, 32).bit(false).bit(false).uint(0, 32).uint(body, 32).cell();
}

/** A message to outside of the network. */
export function announcement(body: number): Cell {
  const head = new CellBuilder().uint(0b11, 2).uint(0, 2).uint(0, 2).bigUint(0n, 64).uint(0, 32);
  return head.bit(false).bit(false).uint(body, 32).cell();
}
