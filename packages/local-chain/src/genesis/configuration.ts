import { type Cell, CellBuilder } from "@chain-query/format/cells";
import { Trie, type TrieFormat, UNAUGMENTED } from "@chain-query/format/dictionaries";
import type { BlockId } from "../domain.ts";
import { forwardPrices, gasPrices, storagePrices } from "./prices.ts";

/** Names the network in every state and block, apart from all public ones. */
export const GLOBAL_ID = 1001;

/** Addresses that the configuration names: its own account, and the account that fees would go to. */
export const CONFIG_ADDRESS: Uint8Array = new Uint8Array(32).fill(0x55);
const ELECTOR_ADDRESS: Uint8Array = new Uint8Array(32).fill(0x33);

/** Version of the virtual machine's rules, and the capabilities that go with it. */
const MACHINE_VERSION = 12;
const CAPABILITIES = 0x1ee;

/** Dictionary with cells as values, each in a cell of its own (TL-B Hashmap n ^Cell). */
const PARAMETERS: TrieFormat<Cell, undefined> = {
  width: 32,
  augmentation: UNAUGMENTED,
  extraOf: () => undefined,
  writeValue: (builder, value) => {
    builder.ref(value);
  },
};

/** The same with the value in place. */
function inline(width: number): TrieFormat<Cell, undefined> {
  return {
    ...PARAMETERS,
    width,
    writeValue: (builder, value) => {
      builder.append(value);
    },
  };
}

/**
 * The configuration of a network: the parameters that execution asks for, with the prices of the public network of this family.
 *
 * @param basechain - Its first zero state, and the number of its shards.
 * @param startedByClock - Addresses of the masterchain accounts that the clock starts in every block.
 * @returns Root of the dictionary (TL-B Hashmap 32 ^Cell).
 */
export function configuration(
  basechain: { readonly zero: BlockId; readonly shards: number },
  time: number,
  startedByClock: readonly Uint8Array[],
): Cell {
  const parameters: readonly (readonly [number, Cell])[] = [
    [0, new CellBuilder().bytes(CONFIG_ADDRESS).cell()],
    [1, new CellBuilder().bytes(ELECTOR_ADDRESS).cell()],
    [8, new CellBuilder().uint(0xc4, 8).uint(MACHINE_VERSION, 32).bigUint(BigInt(CAPABILITIES), 64).cell()],
    [12, dictionary(32, [[key32(0), workchain(basechain, time)]])],
    [18, Trie.from(inline(32), [[key32(0), storagePrices()]]).rootCell() as Cell],
    [19, new CellBuilder().int(GLOBAL_ID, 32).cell()],
    [20, gasPrices("masterchain")],
    [21, gasPrices("basechain")],
    [24, forwardPrices("masterchain")],
    [25, forwardPrices("basechain")],
    [
      31,
      dictionary(
        256,
        startedByClock.map((address) => [address, new CellBuilder().cell()] as const),
      ),
    ],
  ];
  return Trie.from(
    PARAMETERS,
    parameters.map(([id, value]) => [key32(id), value] as const),
  ).rootCell() as Cell;
}

/** TL-B HashmapE, in a cell of its own. */
function dictionary(width: number, entries: readonly (readonly [Uint8Array, Cell])[]): Cell {
  const builder = new CellBuilder();
  return builder.maybeRef(Trie.from(inline(width), entries).rootCell()).cell();
}

/** TL-B WorkchainDescr: basic, active, accepting messages, always in the same shards. */
function workchain({ zero, shards }: { readonly zero: BlockId; readonly shards: number }, time: number): Cell {
  const split = Math.log2(shards);
  return new CellBuilder()
    .uint(0xa6, 8)
    .uint(time, 32)
    .uint(split, 8)
    .uint(split, 8)
    .uint(split, 8)
    .bit(true)
    .bit(true)
    .bit(true)
    .uint(0, 13)
    .bytes(zero.rootHash)
    .bytes(zero.fileHash)
    .uint(0, 32)
    .uint(1, 4)
    .int(-1, 32)
    .bigUint(0n, 64)
    .cell();
}

function key32(value: number): Uint8Array {
  const key = new Uint8Array(4);
  new DataView(key.buffer).setUint32(0, value);
  return key;
}
