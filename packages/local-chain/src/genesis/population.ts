import { CellBuilder } from "@chain-query/format/cells";
import { type Contract, contract, initialState } from "../contracts/contract.ts";
import { type Owner, owner } from "../contracts/owner.ts";
import { wallet } from "../contracts/wallet.ts";
import type { AccountId } from "../domain.ts";
import { seededBytes } from "../traffic/random.ts";

/** An account with a contract, whether it exists yet or not. */
export interface Deployable {
  readonly id: AccountId;
  readonly contract: Contract;
}

/** A wallet, and what its owner needs to order something. */
export interface Wallet extends Deployable {
  readonly owner: Owner;
  readonly walletId: number;
}

/** Everybody who has a part in a chain. Follows from the seed alone. */
export interface Population {
  /** The n-th wallet of the basechain. The first ones exist from the beginning, the others once somebody deploys them. */
  wallet(index: number): Wallet;
  /** The n-th wallet of the masterchain. */
  masterWallet(index: number): Wallet;
  /** One in each eighth of the basechain, so that with any number of shards each shard has one. */
  readonly relays: readonly Deployable[];
  readonly refusers: readonly Deployable[];
  readonly counters: readonly Deployable[];
  /** Long untouched, with enough to pay for their storage. */
  readonly keepers: readonly Deployable[];
  /** Long untouched, and with less than their storage has cost by now: the next message freezes them. */
  readonly debtors: readonly Deployable[];
  /** Value at an address without a contract. */
  readonly uninitialized: readonly AccountId[];
  readonly clock: Deployable;
  /** Holds what nobody has yet. Nothing is sent to it or from it. */
  readonly treasury: Deployable;
  readonly masterDebtor: Deployable;
}

/** Wallets of the masterchain. */
export const MASTER_WALLETS = 8;

const OWNERS = 16;
const FIRST_MASTER_WALLET = 0x8000_0000;
/** Wallets made again and again are kept so far. */
const MOST_KEPT = 20_000;

/** The population of a seed. */
export function population(seed: bigint): Population {
  const owners = Array.from({ length: OWNERS }, (_, i) => owner(seededBytes(seed, "owner", i)));
  const walletOf = (workchain: number, walletId: number): Wallet => {
    const holder = owners[walletId % OWNERS] as Owner;
    return { ...deployable(workchain, wallet(holder, walletId)), owner: holder, walletId };
  };
  const kept = new Map<number, Wallet>();
  const salted = (name: "relay" | "refuser" | "keeper", salt: number) =>
    deployable(0, contract(name, new CellBuilder().bytes(seededBytes(seed, name, salt)).cell()));
  const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, i) => make(i));
  return {
    wallet: (index) => {
      const known = kept.get(index);
      if (known) return known;
      const made = walletOf(0, index);
      if (kept.size >= MOST_KEPT) kept.clear();
      kept.set(index, made);
      return made;
    },
    masterWallet: (index) => walletOf(-1, FIRST_MASTER_WALLET + index),
    relays: times(8, (eighth) => firstIn(eighth, (salt) => salted("relay", salt))),
    refusers: times(2, (i) => salted("refuser", i)),
    counters: times(4, (i) => deployable(0, contract("counter", new CellBuilder().bigUint(BigInt(i) << 32n, 64).cell()))),
    keepers: times(16, (i) => salted("keeper", i)),
    debtors: times(4, (i) => grown(0, hoard(seed, i, 1), hoard(seed, i, DEBTOR_CELLS))),
    uninitialized: times(2, (i) => ({ workchain: 0, hash: seededBytes(seed, "uninitialized", i) })),
    clock: deployable(-1, contract("clock", new CellBuilder().bigUint(0n, 64).cell())),
    treasury: deployable(-1, contract("keeper", new CellBuilder().bytes(seededBytes(seed, "treasury", 0)).cell())),
    masterDebtor: grown(-1, hoard(seed, 4, 1), hoard(seed, 4, 40)),
  };
}

/** Cells of data of a debtor: in five years they cost 0.7 coins. */
const DEBTOR_CELLS = 280;

function deployable(workchain: number, of: Contract): Deployable {
  return { id: { workchain, hash: initialState(of).hash }, contract: of };
}

/**
 * An account whose state is no longer the one that it was deployed with. Only such a one freezes: where the hash of the state is the
 * address, there is nothing to remember, and the account is uninitialized instead.
 */
function grown(workchain: number, first: Contract, now: Contract): Deployable {
  return { id: deployable(workchain, first).id, contract: now };
}

/** The first of a series of contracts whose address lies in an eighth of the basechain. */
function firstIn(eighth: number, make: (salt: number) => Deployable): Deployable {
  for (let salt = eighth << 16; ; salt++) {
    const made = make(salt);
    if ((made.id.hash[0] as number) >> 5 === eighth) return made;
  }
}

/** A keeper with many cells of data, each of 96 bytes. */
function hoard(seed: bigint, index: number, cells: number): Contract {
  let data = new CellBuilder().bytes(seededBytes(seed, "hoard", index)).cell();
  for (let i = 1; i < cells; i++) {
    const builder = new CellBuilder();
    for (let part = 0; part < 3; part++) builder.bytes(seededBytes(seed, "hoard", index, i, part));
    data = builder.ref(data).cell();
  }
  return contract("keeper", data);
}
