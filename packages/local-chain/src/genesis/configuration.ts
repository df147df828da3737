import { readSuspendedList, SUSPENDED_ACCOUNTS } from "@chain-query/format/accounts";
import { type Cell, CellBuilder, CellReader } from "@chain-query/format/cells";
import { plainFormat, readEntries, Trie, type TrieFormat, uint32Key } from "@chain-query/format/dictionaries";
import type { AccountId, BlockId } from "@chain-query/format/identifiers";
import { MAX_DEPTH } from "../store/tables.ts";

/** The network id in every state and block; no public network has it. */
export const GLOBAL_ID = 1001;

/** Addresses in the configuration: its own account, and the elector, which does not exist here. */
export const CONFIG_ACCOUNT: AccountId = { workchain: -1, hash: new Uint8Array(32).fill(0x55) };
const ELECTOR_ADDRESS: Uint8Array = new Uint8Array(32).fill(0x33);

/** Global version of the virtual machine, and its capabilities. */
const MACHINE_VERSION = 12;
const CAPABILITIES = 0x1ee;

const PARAMETERS = plainFormat<Cell>(32, (builder, value) => builder.ref(value));

/** A dictionary with the value in the leaf. */
function inline(width: number): TrieFormat<Cell, undefined> {
  return plainFormat(width, (builder, value) => builder.append(value));
}

/** The basechain in the configuration. */
interface Basechain {
  /** Its first zero state. */
  readonly zero: BlockId;
  /** Number of shards, or the times between the announcement of a split or a merge and its execution. */
  readonly shards: number | { readonly delay: number; readonly interval: number };
}

/**
 * The configuration of the network: the parameters that execution needs, with the prices of the public network of this family.
 *
 * @param tickTockAccounts - Addresses of the masterchain accounts with tick-tock transactions in every block.
 * @param burnedFees - Percentage of the fees that the masterchain burns.
 * @param more - Other parameters: of the validators, and of suspended accounts.
 * @returns Root of the dictionary (TL-B Hashmap 32 ^Cell).
 */
export function configuration(
  basechain: Basechain,
  time: number,
  tickTockAccounts: readonly Uint8Array[],
  burnedFees = 0,
  more: readonly (readonly [id: number, value: Cell])[] = [],
): Cell {
  const parameters: readonly (readonly [number, Cell])[] = [
    [0, new CellBuilder().bytes(CONFIG_ACCOUNT.hash).cell()],
    [1, new CellBuilder().bytes(ELECTOR_ADDRESS).cell()],
    ...(burnedFees > 0 ? [[5, burning(burnedFees)] as const] : []),
    [8, new CellBuilder().uint(0xc4, 8).uint(MACHINE_VERSION, 32).bigUint(BigInt(CAPABILITIES), 64).cell()],
    [12, dictionary(32, [[uint32Key(0), workchain(basechain, time)]])],
    [18, Trie.from(inline(32), [[uint32Key(0), storagePrices()]]).rootCell() as Cell],
    [19, new CellBuilder().int(GLOBAL_ID, 32).cell()],
    [20, gasPrices("masterchain")],
    [21, gasPrices("basechain")],
    [24, forwardPrices("masterchain")],
    [25, forwardPrices("basechain")],
    ...more,
    [
      31,
      dictionary(
        256,
        tickTockAccounts.map((address) => [address, new CellBuilder().cell()] as const),
      ),
    ],
  ];
  return parameterDictionary(parameters);
}

/** TL-B Hashmap 32 ^Cell. */
export function parameterDictionary(parameters: readonly (readonly [id: number, value: Cell])[]): Cell {
  return Trie.from(
    PARAMETERS,
    parameters.map(([id, value]) => [uint32Key(id), value] as const),
  ).rootCell() as Cell;
}

/** A configuration with other values of some parameters. */
export function withParameters(config: Cell, changes: Iterable<readonly [id: number, value: Cell]>): Cell {
  let parameters = Trie.from(
    PARAMETERS,
    Array.from(readEntries(config, 32), ({ key, leaf }) => [key, leaf.ref()] as const),
  );
  for (const [id, value] of changes) parameters = parameters.set(uint32Key(id), value);
  return parameters.rootCell() as Cell;
}

/** The parameter that suspends accounts, see `isSuspended`. */
export function suspendedParameter(accounts: readonly AccountId[], until: number): readonly [id: number, value: Cell] {
  const entries = accounts.map(({ workchain, hash }) => {
    const key = new CellBuilder().int(workchain, 32).bytes(hash).cell().bytes;
    return [key, new CellBuilder().cell()] as const;
  });
  return [SUSPENDED_ACCOUNTS, suspendedList(Trie.from(inline(288), entries).rootCell(), until)];
}

/** The parameter with the same accounts and another end; none if the configuration has none. */
export function suspendedUntil(config: Cell, until: number): readonly (readonly [id: number, value: Cell])[] {
  const list = readSuspendedList(config);
  return list ? [[SUSPENDED_ACCOUNTS, suspendedList(new CellReader(list).skip(8).maybeRef(), until)]] : [];
}

function suspendedList(addresses: Cell | undefined, until: number): Cell {
  return new CellBuilder()
    .uint(0, 8)
    .maybeRef(addresses)
    .uint(Math.min(until, 2 ** 32 - 1), 32)
    .cell();
}

/** TL-B BurningConfig, without an address whose messages burn. */
function burning(percentage: number): Cell {
  return new CellBuilder().uint(1, 8).bit(false).uint(percentage, 32).uint(100, 32).cell();
}

/** TL-B HashmapE, in a cell of its own. */
function dictionary(width: number, entries: readonly (readonly [Uint8Array, Cell])[]): Cell {
  const builder = new CellBuilder();
  return builder.maybeRef(Trie.from(inline(width), entries).rootCell()).cell();
}

/**
 * TL-B WorkchainDescr: basic, active, accepting messages, with a fixed number of shards (`workchain#a6`), or with shards that split and merge
 * (`workchain_v2#a7`).
 */
function workchain({ zero, shards }: Basechain, time: number): Cell {
  const isFixed = typeof shards === "number";
  const least = isFixed ? Math.log2(shards) : 0;
  const builder = new CellBuilder()
    .uint(isFixed ? 0xa6 : 0xa7, 8)
    .uint(time, 32)
    .uint(least, 8)
    .uint(least, 8)
    .uint(isFixed ? least : MAX_DEPTH, 8)
    .bit(true)
    .bit(true)
    .bit(true)
    .uint(0, 13)
    .bytes(zero.rootHash)
    .bytes(zero.fileHash)
    .uint(0, 32)
    .uint(1, 4)
    .int(-1, 32)
    .bigUint(0n, 64);
  if (isFixed) return builder.cell();
  // TL-B wc_split_merge_timings#0: delay, interval, the shortest interval, and the longest time from the announcement to its end.
  const { delay, interval } = shards;
  builder
    .uint(0, 4)
    .uint(delay, 32)
    .uint(interval, 32)
    .uint(interval, 32)
    .uint(delay + interval, 32);
  // persistent_state_split_depth
  return builder.uint(0, 8).cell();
}

/** Prices are in the smallest unit; prices of gas, bits and cells in 1/65536 of it. */
type Chain = "masterchain" | "basechain";

const GAS = {
  masterchain: { price: 655_360_000n, flatPrice: 1_000_000n, special: 70_000_000n, block: 2_500_000n },
  basechain: { price: 26_214_400n, flatPrice: 40_000n, special: 1_000_000n, block: 10_000_000n },
} as const;

const FORWARD = {
  masterchain: { lump: 10_000_000n, bit: 655_360_000n, cell: 65_536_000_000n },
  basechain: { lump: 400_000n, bit: 26_214_400n, cell: 2_621_440_000n },
} as const;

/** TL-B StoragePrices: per bit and per cell for 65536 seconds, in basechain and masterchain. */
function storagePrices(): Cell {
  const builder = new CellBuilder().uint(0xcc, 8).uint(0, 32);
  for (const price of [1n, 500n, 1_000n, 500_000n]) builder.bigUint(price, 64);
  return builder.cell();
}

/**
 * TL-B GasLimitsPrices: a flat price for the first 100, then by unit. An account with 0.1 coins of debt freezes, with 1 it is deleted.
 *
 * @param percent - Of the prices and of the limit for a transaction.
 */
export function gasPrices(chain: Chain, percent = 100n): Cell {
  const { special, block } = GAS[chain];
  const share = (full: bigint): bigint => (full * percent) / 100n;
  const [price, flatPrice, limit] = [share(GAS[chain].price), share(GAS[chain].flatPrice), share(1_000_000n)];
  const builder = new CellBuilder().uint(0xd1, 8).bigUint(100n, 64).bigUint(flatPrice, 64).uint(0xde, 8);
  for (const value of [price, limit, special, 10_000n, block, 100_000_000n, 1_000_000_000n]) builder.bigUint(value, 64);
  return builder.cell();
}

/** TL-B MsgForwardPrices: the sender's block gets a third, the receiver's the rest. */
function forwardPrices(chain: Chain): Cell {
  const { lump, bit, cell } = FORWARD[chain];
  const builder = new CellBuilder().uint(0xea, 8);
  for (const value of [lump, bit, cell]) builder.bigUint(value, 64);
  return builder.uint(0, 32).uint(21_845, 16).uint(21_845, 16).cell();
}
