import { type BlockHeader, ChainStoreError, cellRecord } from "@chain-query/chain-store";
import { type Cell, hex, readBoc, replacePruned } from "@chain-query/format/cells";
import { Trie, uint32Key } from "@chain-query/format/dictionaries";
import { blockName, isSameShard, type ShardId } from "@chain-query/format/identifiers";
import { PAST_BLOCKS, type PastBlock, type PastSum } from "@chain-query/format/states";
import type { ChainReader } from "../domain.ts";
import { blockKey, isU32, textKey } from "../store/keys.ts";
import { CONFIG_KEY } from "../store/producer-state.ts";
import type { StoredGenesis } from "../store/records.ts";
import { knownHeader } from "../store/store-contents.ts";
import type { Tables } from "../store/tables.ts";
import { type AccountsAfter, accountsBuilder } from "./state-accounts.ts";

/** A state that was built, with the dictionaries from which states near it are built in less time. */
interface BuiltState extends AccountsAfter {
  readonly root: Cell;
  readonly past: Trie<PastBlock, PastSum> | undefined;
}

/** States near each other share most of their cells. */
const MAX_BUILT_STATES = 32;

/**
 * Rebuilds the states after blocks. The record of a block has the state without its large parts: accounts are built from their
 * versions, past blocks from the headers. The queue stays a pruned branch.
 */
export function stateReader(tables: Tables, genesis: StoredGenesis): ChainReader["state"] {
  const accountsAfter = accountsBuilder(tables);
  const zeroStates = new Map<string, Cell>();
  /** The last one used at the end. */
  const built: BuiltState[] = [];
  let config: Cell | undefined;

  const build = (block: BlockHeader, record: Uint8Array): BuiltState => {
    const near = nearest(built, block);
    const accounts = accountsAfter(block, near);
    const isMaster = isSameShard(block.id, genesis.masterchain);
    const past = isMaster ? pastBefore(tables, genesis, block.id.seqno, near) : undefined;
    if (isMaster) config ??= readConfig(tables);
    const parts = [accounts.rootCell(), past?.rootCell(), isMaster ? config : undefined];
    return { block, root: complete(cellRecord.decode(record), parts, block), accounts, past };
  };

  const stateAfter = (id: ShardId, seqno: number): Cell | undefined => {
    const at = built.findIndex(({ block }) => block.id.seqno === seqno && isSameShard(block.id, id));
    const [known] = at < 0 ? [] : built.splice(at, 1);
    const record = known ? undefined : tables.states.get(blockKey(id, seqno));
    const state = known ?? (record && build(knownHeader(tables, genesis, id, seqno), record));
    if (!state) return undefined;
    built.push(state);
    if (built.length > MAX_BUILT_STATES) built.shift();
    return state.root;
  };

  const zeroState = (id: ShardId): Cell | undefined => {
    const name = blockName({ ...id, seqno: 0 });
    const known = zeroStates.get(name);
    if (known) return known;
    const boc = tables.blockData.get(blockKey(id, 0));
    const root = boc && readBoc(boc);
    if (root) zeroStates.set(name, root);
    return root;
  };

  return (id) => {
    if (!isU32(id.seqno)) return undefined;
    return id.seqno === 0 ? zeroState(id) : stateAfter(id, id.seqno);
  };
}

/** The state of the same shard with the nearest seqno. */
function nearest(built: readonly BuiltState[], { id }: BlockHeader): BuiltState | undefined {
  const distance = ({ block }: BuiltState) => Math.abs(block.id.seqno - id.seqno);
  return built
    .filter(({ block }) => isSameShard(block.id, id))
    .reduce<BuiltState | undefined>((best, one) => (best && distance(best) <= distance(one) ? best : one), undefined);
}

/** The masterchain's blocks before a block. The configuration never changes, so the zero state is the only key block. */
function pastBefore(tables: Tables, genesis: StoredGenesis, seqno: number, near: BuiltState | undefined) {
  const { masterchain } = genesis;
  const entry = (at: number): readonly [Uint8Array, PastBlock] => {
    const { id, endLt } = knownHeader(tables, genesis, masterchain, at);
    const block = { seqno: at, endLt, rootHash: id.rootHash, fileHash: id.fileHash };
    return [uint32Key(at), { isKey: at === 0, block }];
  };
  if (!near?.past)
    return Trie.from(
      PAST_BLOCKS,
      Array.from({ length: seqno }, (_, at) => entry(at)),
    );
  let past = near.past;
  for (let at = near.block.id.seqno; at < seqno; at++) past = past.set(...entry(at));
  for (let at = near.block.id.seqno; at > seqno; at--) past = past.delete(uint32Key(at - 1));
  return past;
}

function readConfig(tables: Tables): Cell {
  const record = tables.producer.get(textKey(CONFIG_KEY));
  if (!record) throw new ChainStoreError("the chain is damaged: the configuration is missing");
  return readBoc(record);
}

/** Puts the parts of a state in place of their pruned branches. */
function complete(boc: Uint8Array, parts: readonly (Cell | undefined)[], { id }: BlockHeader): Cell {
  const missing = new Map(parts.flatMap((part) => (part ? [[hex(part.hash), part]] : [])));
  const root = replacePruned(readBoc(boc), (hash) => {
    const part = missing.get(hex(hash));
    missing.delete(hex(hash));
    return part;
  });
  if (missing.size === 0) return root;
  throw new ChainStoreError(`the chain is damaged: the state after block ${blockName(id)} cannot be built`);
}
