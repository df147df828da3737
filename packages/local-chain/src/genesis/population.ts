import { CellBuilder } from "@chain-query/format/cells";
import type { AccountId } from "@chain-query/format/identifiers";
import { type Contract, contract, initialState, type Owner, owner, wallet } from "../contracts/contract.ts";
import { seededBytes } from "../random.ts";

/** An account with a contract, deployed or not. */
export interface Deployable {
  readonly id: AccountId;
  readonly contract: Contract;
}

/** A wallet with its owner. */
export interface Wallet extends Deployable {
  readonly owner: Owner;
  readonly walletId: number;
}

/** The accounts of a chain. They depend only on the seed. */
export interface Population {
  /** The n-th wallet of the basechain. The first ones exist at genesis, the others can be deployed. */
  wallet(index: number): Wallet;
  /** The n-th wallet of the masterchain. */
  masterWallet(index: number): Wallet;
  /** One in each eighth of the basechain: every shard has at least one. */
  readonly relays: readonly Deployable[];
  readonly refusers: readonly Deployable[];
  readonly counters: readonly Deployable[];
  /** Unused for long, with enough balance for their storage fees. */
  readonly keepers: readonly Deployable[];
  /** Unused for long, with a balance below their storage fees: the next message freezes them. */
  readonly underfunded: readonly Deployable[];
  /** Addresses with a balance and no contract. */
  readonly uninitialized: readonly AccountId[];
  /** Made by the traffic, see `ChainOptions.puppets`: four in the basechain, two in the masterchain. */
  readonly puppets: readonly Deployable[];
  readonly clock: Deployable;
  /** Holds the rest of all value. It sends and receives nothing. */
  readonly treasury: Deployable;
  readonly masterUnderfunded: Deployable;
}

/** Number of wallets in the masterchain. */
export const MASTER_WALLETS = 8;

const OWNERS = 16;
const FIRST_MASTER_WALLET = 0x8000_0000;
/** Size of the cache of wallets. */
const MAX_CACHED = 20_000;

export function createPopulation(seed: bigint): Population {
  const owners = Array.from({ length: OWNERS }, (_, i) => owner(seededBytes(seed, "owner", i)));
  const walletOf = (workchain: number, walletId: number): Wallet => {
    const holder = owners[walletId % OWNERS] as Owner;
    return { ...deployable(workchain, wallet(holder, walletId)), owner: holder, walletId };
  };
  const cache = new Map<number, Wallet>();
  const salted = (name: "relay" | "refuser" | "keeper" | "puppet", salt: number, workchain = 0) =>
    deployable(workchain, contract(name, new CellBuilder().bytes(seededBytes(seed, name, salt)).cell()));
  const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, i) => make(i));
  return {
    wallet: (index) => {
      const known = cache.get(index);
      if (known) return known;
      const made = walletOf(0, index);
      if (cache.size >= MAX_CACHED) cache.clear();
      cache.set(index, made);
      return made;
    },
    masterWallet: (index) => walletOf(-1, FIRST_MASTER_WALLET + index),
    relays: times(8, (eighth) => firstIn(eighth, (salt) => salted("relay", salt))),
    refusers: times(2, (i) => salted("refuser", i)),
    counters: times(4, (i) => deployable(0, contract("counter", new CellBuilder().bigUint(BigInt(i) << 32n, 64).cell()))),
    keepers: times(16, (i) => salted("keeper", i)),
    underfunded: times(4, (i) => grown(0, largeKeeper(seed, i, 1), largeKeeper(seed, i, UNDERFUNDED_CELLS))),
    uninitialized: times(2, (i) => ({ workchain: 0, hash: seededBytes(seed, "uninitialized", i) })),
    puppets: times(6, (i) => salted("puppet", i, i < 4 ? 0 : -1)),
    clock: deployable(-1, contract("clock", new CellBuilder().bigUint(0n, 64).cell())),
    treasury: deployable(-1, contract("keeper", new CellBuilder().bytes(seededBytes(seed, "treasury", 0)).cell())),
    masterUnderfunded: grown(-1, largeKeeper(seed, 4, 1), largeKeeper(seed, 4, 40)),
  };
}

/** Data cells of an account of `underfunded`. Their storage costs 0.7 coins in five years. */
const UNDERFUNDED_CELLS = 280;

function deployable(workchain: number, of: Contract): Deployable {
  return { id: { workchain, hash: initialState(of).hash }, contract: of };
}

/**
 * An account whose state has changed since its deployment. Only such an account freezes: an account whose state hash is its address
 * becomes uninitialized instead.
 */
function grown(workchain: number, first: Contract, now: Contract): Deployable {
  return { id: deployable(workchain, first).id, contract: now };
}

/** The first of a series of contracts with an address in an eighth of the basechain. */
function firstIn(eighth: number, make: (salt: number) => Deployable): Deployable {
  for (let salt = eighth << 16; ; salt++) {
    const made = make(salt);
    if ((made.id.hash[0] as number) >> 5 === eighth) return made;
  }
}

/** A keeper with many cells of data, each of 96 bytes. The label "hoard" stays: its address depends on it. */
function largeKeeper(seed: bigint, index: number, cells: number): Contract {
  let data = new CellBuilder().bytes(seededBytes(seed, "hoard", index)).cell();
  for (let i = 1; i < cells; i++) {
    const builder = new CellBuilder();
    for (let part = 0; part < 3; part++) builder.bytes(seededBytes(seed, "hoard", index, i, part));
    data = builder.ref(data).cell();
  }
  return contract("keeper", data);
}

/**
 * A wallet that exists at genesis, as a known account for readers.
 *
 * @param seed - The seed that the chain was made from.
 * @param index - From 0 to one less than the chain's `accounts`.
 *
 * @example
 * const chain = openChain("my-chain"); // made with seed 1
 * for (const transaction of chain.transactions(firstWallet(1n, 0))) console.log(transaction.id.lt);
 */
export function firstWallet(seed: bigint, index: number): AccountId {
  return createPopulation(seed).wallet(index).id;
}
