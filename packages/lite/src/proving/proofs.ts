import { readBlockHeader, readBlockParts } from "@chain-query/format/blocks";
import { type Cell, CellReader, createMerkleProof, writeBocRoots } from "@chain-query/format/cells";
import type { BlockId } from "@chain-query/format/identifiers";
import { readConfig } from "@chain-query/proof/signatures";

export interface Proved<Value> {
  readonly value: Value;
  readonly proof: Cell;
}

/** Blocks and states whose whole trees are known. */
interface Trees {
  block(id: BlockId): { readonly root: Cell };
  state(id: BlockId): Cell;
}

/** Reads a value from a tree, and proves it. */
export function prove<Value>(root: Cell, read: (root: Cell, keep: (subtree: Cell) => void) => Value): Proved<Value> {
  let found: { readonly value: Value } | undefined;
  const proof = createMerkleProof(root, (cell, keep) => {
    found = { value: read(cell, keep) };
  });
  if (!found) throw new TypeError("createMerkleProof did not read");
  return { value: found.value, proof };
}

/** Reads a value from the configuration that a key block, or the zero state, sets. Its proof shows the block's header too. */
export function proveConfig<Value>(
  id: BlockId,
  root: Cell,
  read: (config: Cell, keep: (subtree: Cell) => void) => Value,
): Proved<Value> {
  return prove(root, (tree, keep) => {
    if (id.seqno > 0) readBlockHeader(tree);
    return read(readConfig(id, tree), keep);
  });
}

/** Proves a block's header: its info with the references to other blocks. */
export function proveHeader(root: Cell): Cell {
  return createMerkleProof(root, (block, keep) => keep(readBlockParts(block).info));
}

/** Makes a value, or takes the one of an earlier call. All of them go when there would be more than `most`. */
export function makeOnce<Value>(known: Map<string, Value>, most: number, key: string, make: () => Value): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const value = make();
  if (known.size >= most) known.clear();
  known.set(key, value);
  return value;
}

/** Proofs that are kept of one tree. */
const MOST_OF_TREE = 256;

/** Caches proofs by tree, and by what they show if there are several: requests about recent blocks need the same ones. */
export function proofCache<Value>(): (root: Cell, key: string, make: () => Value) => Value {
  const byTree = new WeakMap<Cell, Map<string, Value>>();
  return (root, key, make) => {
    const known = byTree.get(root) ?? new Map<string, Value>();
    byTree.set(root, known);
    return makeOnce(known, MOST_OF_TREE, key, make);
  };
}

/** Most answers about a block begin with the same proof. */
const stateHashProofs = proofCache<Cell>();

/** Proves a block's header with the hash of the state after it. */
export function proveStateHash(root: Cell): Cell {
  return stateHashProofs(root, "", () =>
    createMerkleProof(root, (block, keep) => {
      const { info, stateUpdate } = readBlockParts(block);
      keep(info);
      touch(stateUpdate);
    }),
  );
}

/**
 * Reads a value from the state after a block, and proves it: the proof has the block's header, then the state. For a zero state, it has
 * only the state, whose hash is the root hash of the id.
 */
export function proveInState<Value>(
  chain: Trees,
  id: BlockId,
  read: (state: Cell) => Value,
): { readonly value: Value; readonly proof: Uint8Array } {
  const { value, proof } = prove(chain.state(id), read);
  const roots = id.seqno === 0 ? [proof] : [proveStateHash(chain.block(id).root), proof];
  return { value, proof: writeBocRoots(roots) };
}

/** Keeps a cell in the current proof, without its references. */
export function touch(cell: Cell): void {
  new CellReader(cell);
}
