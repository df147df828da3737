import { SHARD_ACCOUNTS, type ShardAccount } from "@chain-query/format/accounts";
import { readBlock, readBlockConfig, readBlockHeader } from "@chain-query/format/blocks";
import { type Cell, hex, readBoc, replacePruned } from "@chain-query/format/cells";
import type { Currencies } from "@chain-query/format/currencies";
import { Trie, uint32Key } from "@chain-query/format/dictionaries";
import { type AccountId, blockName, containsAccount, isSameShard, type ShardId } from "@chain-query/format/identifiers";
import {
  type KeyBlocks,
  PAST_BLOCKS,
  type PastBlock,
  type PastSum,
  readKeyBlocks,
  readMasterchainParts,
} from "@chain-query/format/states";
import { accountKey, accountOf, accountRecord, type BlockHeader, ChainStoreError, cellRecord } from "@chain-query/format/store";
import { readTransactionHeader } from "@chain-query/format/transactions";
import type { LocalChain } from "../domain.ts";
import { blockKey, blockVersionKey, isU32, type StoredGenesis, versionKey } from "../store/records.ts";
import { type CellOfRecord, cellOfRecord, headerAt, knownBlock, knownHeader } from "../store/store-contents.ts";
import { type Seek, seekIn, type Tables } from "../store/tables.ts";

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
export function stateReader(tables: Tables, genesis: StoredGenesis): LocalChain["state"] {
  const accountsAfter = accountsBuilder(tables);
  const keyBlocks = keyBlockReader(tables, genesis);
  const zeroStates = new Map<string, Cell>();
  /** The last one used at the end. */
  const built: BuiltState[] = [];

  const build = (block: BlockHeader, record: Uint8Array): BuiltState => {
    const near = nearest(built, block);
    const accounts = accountsAfter(block, near);
    const short = readBoc(cellRecord.decode(record));
    const isMaster = isSameShard(block.id, genesis.masterchain);
    const newestKey = isMaster ? newestKeyBlock(block.id.seqno, readKeyBlocks(short)) : 0;
    const past = isMaster ? pastBefore(tables, genesis, block.id.seqno, keyBlocks.upTo(newestKey), near) : undefined;
    const parts = [accounts.rootCell(), past?.rootCell(), isMaster ? keyBlocks.config(newestKey) : undefined];
    return { block, root: complete(short, parts, block), accounts, past };
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

/** The masterchain's blocks before a block. */
function pastBefore(
  tables: Tables,
  genesis: StoredGenesis,
  seqno: number,
  keys: ReadonlySet<number>,
  near: BuiltState | undefined,
) {
  const { masterchain } = genesis;
  const entry = (at: number): readonly [Uint8Array, PastBlock] => {
    const { id, endLt } = knownHeader(tables, genesis, masterchain, at);
    const block = { seqno: at, endLt, rootHash: id.rootHash, fileHash: id.fileHash };
    return [uint32Key(at), { isKey: keys.has(at), block }];
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

/** Puts the parts of a state in place of their pruned branches. */
function complete(short: Cell, parts: readonly (Cell | undefined)[], { id }: BlockHeader): Cell {
  const missing = new Map(parts.flatMap((part) => (part ? [[hex(part.hash), part]] : [])));
  const root = replacePruned(short, (hash) => {
    const part = missing.get(hex(hash));
    missing.delete(hex(hash));
    return part;
  });
  if (missing.size === 0) return root;
  throw new ChainStoreError(`the chain is damaged: the state after block ${blockName(id)} cannot be built`);
}

/** The accounts of a shard after a block. */
interface AccountsAfter {
  readonly block: BlockHeader;
  readonly accounts: Trie<ShardAccount, Currencies>;
}

/**
 * Builds the accounts of a shard after a block: from the accounts after another block and the changes between both blocks, or from all
 * accounts if these are fewer.
 */
function accountsBuilder(tables: Tables): (block: BlockHeader, near: AccountsAfter | undefined) => AccountsAfter["accounts"] {
  const versions = seekIn(tables.versions);
  const cellOf = cellOfRecord(tables);

  return (block, near) => {
    const isLast = isLastOfStep(tables, block);
    const keyOf = (account: AccountId) =>
      isLast ? versionKey(account, block.masterchainSeqno) : blockVersionKey(account, block);
    const read = (account: AccountId) => readVersion(versions, cellOf, account, keyOf(account));
    const changed = near && changedBetween(tables, block, near);
    if (!changed) {
      const all = Array.from(accountsOf(tables, block.id), (account) => [account.hash, read(account)] as const);
      return Trie.from(
        SHARD_ACCOUNTS,
        all.flatMap(([hash, entry]) => (entry ? [[hash, entry] as const] : [])),
      );
    }
    let { accounts } = near;
    for (const account of changed) {
      const entry = read(account);
      accounts = entry ? accounts.set(account.hash, entry) : accounts.delete(account.hash);
    }
    return accounts;
  };
}

/** Whether no later block of its shard is in the same step. */
function isLastOfStep(tables: Tables, { id, masterchainSeqno }: BlockHeader): boolean {
  return headerAt(tables, id, id.seqno + 1)?.masterchainSeqno !== masterchainSeqno;
}

/** The newest version of an account up to a key; undefined if the account did not exist. */
function readVersion(versions: Seek, cellOf: CellOfRecord, account: AccountId, key: Uint8Array): ShardAccount | undefined {
  const record = versions.downwards(key, accountKey(account));
  if (!record) return undefined;
  const { cell, balance, extraCurrencies, last } = accountRecord.decode(record);
  // TL-B account_none$0
  if (cell.bitLength === 1) return undefined;
  return {
    account: cellOf(cell),
    balance: { coins: balance, extra: extraCurrencies },
    lastHash: last.hash,
    lastLt: last.lt,
  };
}

/**
 * The accounts with transactions between two blocks of a shard; undefined if there are more transactions than accounts, or if the shard
 * split or merged between them.
 */
function changedBetween(tables: Tables, { id }: BlockHeader, { block, accounts }: AccountsAfter): AccountId[] | undefined {
  const from = Math.min(id.seqno, block.id.seqno) + 1;
  const to = Math.max(id.seqno, block.id.seqno);
  let transactions = 0;
  for (let seqno = from; seqno <= to; seqno++) {
    const header = headerAt(tables, id, seqno);
    if (!header || (seqno > from && !isSameShard(header.previous, id))) return undefined;
    transactions += header.transactionCount;
    if (transactions > accounts.size) return undefined;
  }
  const changed = new Map<string, AccountId>();
  for (let seqno = from; seqno <= to; seqno++) {
    for (const cell of readBlock(readBoc(knownBlock(tables, id, seqno))).transactions) {
      const { account: hash } = readTransactionHeader(cell);
      changed.set(Buffer.from(hash).toString("latin1"), { workchain: id.workchain, hash });
    }
  }
  return Array.from(changed.values());
}

/** All accounts that ever were in a shard. */
function* accountsOf(tables: Tables, shard: ShardId): Generator<AccountId, void, undefined> {
  const marked = BigInt.asUintN(64, shard.shard);
  const lowest = new Uint8Array(32);
  new DataView(lowest.buffer).setBigUint64(0, marked & (marked - 1n));
  const start = accountKey({ workchain: shard.workchain, hash: lowest });
  for (const key of tables.accounts.getKeys({ start })) {
    const account = accountOf(key);
    if (!containsAccount(shard, account)) return;
    yield account;
  }
}

/** Key blocks of a chain, and the configurations that they set. The zero state counts as one, with number 0. */

interface KeyBlockReader {
  /** The root of the configuration that a key block sets. */
  config(seqno: number): Cell;
  /** The numbers of a key block and of all before it. */
  upTo(seqno: number): ReadonlySet<number>;
}

/** The number of the newest key block up to a masterchain block, from the state after it. */
export function newestKeyBlock(seqno: number, state: KeyBlocks | undefined): number {
  return state?.isAfterKeyBlock ? seqno : (state?.lastKeyBlock?.seqno ?? 0);
}

function keyBlockReader(tables: Tables, { masterchain }: Pick<StoredGenesis, "masterchain">): KeyBlockReader {
  /** The number of the key block before each. */
  const before = new Map<number, number>();
  let last: { readonly seqno: number; readonly config: Cell } | undefined;

  const read = (seqno: number): Cell => readBoc(knownBlock(tables, masterchain, seqno));

  const configOf = (seqno: number): Cell => {
    const root = read(seqno);
    const config = seqno === 0 ? readMasterchainParts(root).config : readBlockConfig(root);
    if (!config) throw new ChainStoreError(`the chain is damaged: block ${seqno} of the masterchain is not a key block`);
    return config;
  };

  return {
    config: (seqno) => {
      if (last?.seqno !== seqno) last = { seqno, config: configOf(seqno) };
      return last.config;
    },
    upTo: (seqno) => {
      const numbers = new Set<number>([0]);
      for (let at = seqno; at > 0; at = before.get(at) ?? 0) {
        numbers.add(at);
        if (!before.has(at)) before.set(at, readBlockHeader(read(at)).previousKeySeqno);
      }
      return numbers;
    },
  };
}
