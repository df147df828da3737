/** The Merkle update of a block, from the state before it to the state after it. */
import type { ShardAccount } from "../accounts.ts";
import { isEqual, toBinaryString } from "../cells/bytes.ts";
import type { Cell } from "../cells/cell.ts";
import { createMerkleUpdate } from "../cells/merkle.ts";
import { Trie } from "../dictionaries/trie.ts";
import { isSameShard } from "../identifiers.ts";
import { buildSplitState } from "./resharding.ts";
import { buildState, type ShardState, type StateDictionary, type StateForm } from "./shard-state.ts";

/** The changes from one state to the next. */
export interface StateChanges {
  /** Keys of the accounts. */
  readonly accounts: readonly Uint8Array[];
  /** Keys of the queue. */
  readonly queue: readonly Uint8Array[];
  /** Keys of past blocks. */
  readonly past: readonly Uint8Array[];
  /** TL-B Account of changed accounts, before and after. Those that are absent become pruned branches. */
  readonly cells: readonly Cell[];
}

/** The state before a block: of its shard, of the shard that was split, or of both halves that were merged. */
export type FormerStates = readonly [ShardState] | readonly [left: ShardState, right: ShardState];

/**
 * The Merkle update from a state to the next one, see `createMerkleUpdate`. Its cost depends on the changes, not on the size of the states.
 */
export function createStateUpdate(before: FormerStates, after: ShardState, changes: StateChanges): Cell {
  const states = [...before, after];
  const shown = new Map(changes.cells.map((cell) => [toBinaryString(cell.hash), cell]));
  const withCell = (value: ShardAccount): ShardAccount => {
    const account = shown.get(toBinaryString(value.account.hash));
    return account ? { account, balance: value.balance, lastHash: value.lastHash, lastLt: value.lastLt } : value;
  };
  // Queues are divided and joined without shared branches.
  const isResharded = before.some(({ shard }) => !isSameShard(shard, after.shard));
  const queueKeys = isResharded ? states.flatMap(({ queue }) => Array.from(queue, ([key]) => key)) : changes.queue;
  const past = states.flatMap(({ masterchain }) => (masterchain ? [masterchain.past] : []));
  const roots = new Map<StateDictionary, Cell | undefined>([
    ...partsOf(
      states.map(({ accounts }) => accounts),
      changes.accounts,
      withCell,
    ),
    ...partsOf(
      states.map(({ queue }) => queue),
      queueKeys,
    ),
    ...partsOf(past, changes.past),
  ]);
  const form: StateForm<Cell> = {
    finish: (builder) => builder.prunedCell(),
    rootOf: (trie) => roots.get(trie),
    config: (config) =>
      states.every((state) => hasConfig(state, config)) ? { hash: config.hash, depth: config.depth } : config,
  };
  const [left, right] = before.map((state) => buildState(state, form));
  return createMerkleUpdate(right ? buildSplitState(left as Cell, right) : (left as Cell), buildState(after, form));
}

function partsOf<Value, Extra>(
  tries: readonly Trie<Value, Extra>[],
  keys: readonly Uint8Array[],
  written?: (value: Value) => Value,
): (readonly [Trie<Value, Extra>, Cell | undefined])[] {
  const roots = Trie.partialRoots(tries, keys, written);
  return tries.map((trie, i) => [trie, roots[i]]);
}

function hasConfig({ masterchain }: ShardState, config: Cell): boolean {
  return masterchain !== undefined && isEqual(masterchain.config.hash, config.hash);
}
