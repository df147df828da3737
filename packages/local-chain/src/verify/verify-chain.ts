import { buildShardAccount } from "@chain-query/format/accounts";
import { readBlock, readBlockHeader } from "@chain-query/format/blocks";
import { type Cell, hex, isEqual, readBoc, sha256 } from "@chain-query/format/cells";
import { type AccountId, accountName, type BlockId, blockName, isSameShard, shardName } from "@chain-query/format/identifiers";
import { hashState, readAccounts, readQueueSize, readState } from "@chain-query/format/states";
import {
  accountKey,
  accountOf,
  accountRecord,
  cellRecord,
  changesOfAccounts,
  readStepTransactions,
  storedAccount,
} from "@chain-query/format/store";
import { readTransactionHeader } from "@chain-query/format/transactions";
import { openShards } from "../production/network.ts";
import { chainFileToRead } from "../store/chain-folder.ts";
import type { AccountCommit, BlockCommit, ChainCommit } from "../store/commit.ts";
import {
  blockKey,
  blockVersionKey,
  HIGHEST_U32,
  headRecord,
  type StoredGenesis,
  type StoredHead,
  versionKey,
} from "../store/records.ts";
import { genesisHead, headAfter } from "../store/store.ts";
import { cellOfRecord, HEAD, knownHeader, storeContents, storedGenesis, storedHead } from "../store/store-contents.ts";
import { countOf, openTables, seekIn, type Tables } from "../store/tables.ts";
import { cellKeeper, putAccounts, putStep } from "../store/write-step.ts";
import { ChainFault, comparedTables, must, mustEqual, naming } from "./compared-tables.ts";

/** The content of a verified chain. */
export interface Verified {
  /** Masterchain blocks. */
  readonly steps: number;
  /** Of all shards. */
  readonly blocks: number;
  readonly transactions: number;
  readonly accounts: number;
}

/**
 * Reads the blocks of a chain, checks their hashes and links, and compares every record with the one that the writer makes of them. Reads one
 * LMDB snapshot, so a producer may write at the same time.
 *
 * @param onStep - Called after each masterchain block, with their number.
 * @throws ChainFault at the first wrong record.
 * @throws ChainStoreError if the folder holds no chain that can be opened.
 */
export async function verifyChain(
  directory: string,
  onStep: (step: number, steps: number) => void = () => {},
): Promise<Verified> {
  const tables = openTables(chainFileToRead(directory), "read");
  try {
    // lmdb keeps its read snapshot until the next event-loop tick, so nothing is awaited here.
    return verify(tables, onStep);
  } finally {
    await tables.root.close();
  }
}

function verify(stored: Tables, onStep: (step: number, steps: number) => void): Verified {
  const compared = comparedTables(stored);
  const keepCell = cellKeeper(compared.tables.cells);
  const genesis = naming("the genesis", () => storedGenesis(stored));
  const { seqno: steps } = naming("the head", () => storedHead(stored));
  const stepOf = stepReader(stored, genesis);
  let tips: readonly BlockId[] = [genesis.masterchain, ...genesis.shards];
  let head = genesisHead(tips);
  for (const id of tips) {
    naming(`zero state ${blockName(id)}`, () => {
      const { boc, root } = readBytes(stored, id);
      compared.tables.blockData.putSync(blockKey(id, 0), boc);
      const accounts = Array.from(readAccounts(readState(root).accounts), ({ address: hash, account, last }) => ({
        account: { workchain: id.workchain, hash },
        shardAccount: buildShardAccount(account, last),
      }));
      putAccounts(compared.tables, accounts, 0, keepCell);
    });
  }
  for (let seqno = 1; seqno <= steps; seqno++) {
    naming(`step ${seqno}`, () => {
      const step = stepOf(tips, head, seqno);
      putStep(compared.tables, step.commit, keepCell);
      head = headAfter(head, step.commit);
      tips = step.tips;
    });
    onStep(seqno, steps);
  }
  return naming("the end of the chain", () => {
    must(isEqual(stored.meta.get(HEAD) ?? Buffer.of(), headRecord.encode(head)), () => "the head is not what the blocks state");
    compared.finish();
    checkAccounts(stored);
    checkCells(stored);
    checkProducer(stored, genesis, tips);
    const { blocks, transactions, accounts } = stored;
    return { steps, blocks: countOf(blocks), transactions: countOf(transactions), accounts: countOf(accounts) };
  });
}

interface ReadStep {
  readonly commit: ChainCommit;
  /** The newest block of each shard after it, the masterchain first. */
  readonly tips: readonly BlockId[];
}

/** Reads a step as it was written: from the bytes of its blocks, and from states and accounts whose hashes these state. */
function stepReader(
  stored: Tables,
  genesis: StoredGenesis,
): (tips: readonly BlockId[], head: StoredHead, seqno: number) => ReadStep {
  const cellOf = cellOfRecord(stored);

  const changesOf = (blocks: Parameters<typeof changesOfAccounts>[0], keyOf: (account: AccountId) => Buffer): AccountCommit[] =>
    changesOfAccounts(blocks).map(({ last: { account, cell } }) => {
      const { lt, newStateHash } = readTransactionHeader(cell);
      const name = `account ${accountName(account)} after transaction ${lt}`;
      const record = stored.versions.get(keyOf(account));
      must(record !== undefined, () => `${name} is missing`);
      const state = naming(name, () => cellOf(accountRecord.decode(record).cell));
      mustEqual(state.hash, newStateHash, () => `hash of ${name}`);
      return { account, shardAccount: buildShardAccount(state, { lt, hash: cell.hash }) };
    });

  /** The blocks of a shard after the step before, by rising number. */
  const blocksUpTo = (newest: BlockId, tips: readonly BlockId[]): ReadBlock[] => {
    const blocks: ReadBlock[] = [];
    const isTip = (id: BlockId) => tips.some((tip) => isSameShard(tip, id) && isEqual(tip.rootHash, id.rootHash));
    for (let before: readonly BlockId[] = [newest]; !before.every(isTip); ) {
      const [id, other] = before;
      must(id !== undefined && id.seqno > 0 && !other, () => `block ${blockName(newest)} does not follow the step before`);
      const block = readCommit(stored, id);
      blocks.unshift(block);
      before = block.previous;
    }
    return blocks;
  };

  return (tips, { burnt }, seqno) => {
    const { id } = knownHeader(stored, genesis, genesis.masterchain, seqno);
    const [master] = blocksUpTo(id, tips);
    must(master !== undefined, () => `block ${blockName(id)} is that of the step before`);
    const { shards, flow } = readBlock(master.root);
    const tops = shards.map(({ workchain, shard, block }): BlockId => ({ workchain, shard, ...block }));
    const rows = tops.map((top) => blocksUpTo(top, tips).map(({ commit }) => commit));
    const own = rows.flatMap((row) =>
      row.map((block, i) => {
        const keyOf = (account: AccountId) => blockVersionKey(account, { id: block.id, masterchainSeqno: seqno });
        return i === row.length - 1 ? block : { ...block, accounts: changesOf([block], keyOf) };
      }),
    );
    const commit = {
      masterchain: master.commit,
      shards: own,
      accounts: changesOf([...own, master.commit], (account) => versionKey(account, seqno)),
      burnt: burnt + flow.feesCollected.coins + flow.burned.coins,
      producer: {},
    };
    return { commit, tips: [id, ...tops] };
  };
}

interface ReadBlock {
  readonly root: Cell;
  readonly commit: BlockCommit;
  /** Two after a merge. */
  readonly previous: readonly BlockId[];
}

function readCommit(stored: Tables, id: BlockId): ReadBlock {
  const { boc, root } = readBytes(stored, id);
  const { startLt, endLt, time, ...header } = readBlockHeader(root);
  const previous = header.readPrevious();
  const [first] = previous;
  must(first !== undefined, () => `block ${blockName(id)} has no block before it`);
  const stateRootHash = header.readStateHashes().newHash;
  const name = `the state after block ${blockName(id)}`;
  const record = stored.states.get(blockKey(id, id.seqno));
  must(record !== undefined, () => `${name} is missing`);
  const state = naming(name, () => readBoc(cellRecord.decode(record)));
  mustEqual(state.hashAt(0), stateRootHash, () => `hash of ${name}`);
  const transactions = readStepTransactions(root, id.workchain);
  const queueSize = readQueueSize(state);
  return {
    root,
    previous,
    commit: { id, boc, state, startLt, endLt, time, stateRootHash, previous: first, queueSize, transactions },
  };
}

/** The bytes of a block or a zero state, which have the hashes of its id. */
function readBytes(stored: Tables, id: BlockId): { readonly boc: Uint8Array; readonly root: Cell } {
  const name = () => `${id.seqno === 0 ? "zero state" : "block"} ${blockName(id)}`;
  const boc = stored.blockData.get(blockKey(id, id.seqno));
  must(boc !== undefined, () => `${name()} is missing`);
  mustEqual(sha256(boc), id.fileHash, () => `file hash of ${name()}`);
  const root = readBoc(boc);
  mustEqual(root.hash, id.rootHash, () => `root hash of ${name()}`);
  return { boc, root };
}

/** Compares the newest state of each account, from which the producer continues, with its newest version. */
function checkAccounts(stored: Tables): void {
  const versions = seekIn(stored.versions);
  for (const { key, value } of stored.accounts.getRange()) {
    const account = accountOf(key);
    naming(`account ${accountName(account)}`, () => {
      const record = versions.downwards(versionKey(account, HIGHEST_U32), accountKey(account));
      const own = accountRecord.encode(storedAccount(readBoc(value), ({ hash }) => hash));
      must(record !== undefined && isEqual(record, own), () => `account ${accountName(account)} is not its newest version`);
    });
  }
}

function checkCells(stored: Tables): void {
  for (const { key, value } of stored.cells.getRange()) {
    const name = `cell ${hex(key)}`;
    mustEqual(naming(name, () => readBoc(cellRecord.decode(value))).hash, new Uint8Array(key), () => `hash of ${name}`);
  }
}

/** Builds the newest state of every shard like a producer that opens the chain. Damaged records cause errors of many kinds. */
function checkProducer(stored: Tables, genesis: StoredGenesis, tips: readonly BlockId[]): void {
  try {
    for (const { state, tip: own } of openShards(storeContents(stored, genesis))) {
      const tip = tips.find((id) => isSameShard(id, state.shard));
      const known = tip && knownHeader(stored, genesis, tip, tip.seqno);
      mustEqual(hashState(state).hash, known?.stateRootHash, () => `its hash in shard ${shardName(state.shard)}`);
      const name = () => `its newest block in shard ${shardName(state.shard)}`;
      for (const field of ["seqno", "rootHash", "fileHash"] as const)
        for (const id of [own.id, own.ref]) mustEqual(id[field], known?.id[field], name);
      mustEqual(own.id.shard, known?.id.shard, name);
      mustEqual(own.ref.endLt, known?.endLt, name);
      mustEqual(own.time, known?.time, name);
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ChainFault(`the producer's state cannot be read: ${reason}`, { cause });
  }
}
