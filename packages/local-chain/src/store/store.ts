import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isEqual } from "@chain-query/format/cells";
import { type BlockId, blockName, compareShards, intersects, isSameShard } from "@chain-query/format/identifiers";
import { ChainStoreError } from "@chain-query/format/store";
import {
  CHAIN_FILE,
  chainFileToWrite,
  checkFolderIsFree,
  LOCK_FILE,
  lockForWriting,
  notWritable,
  UNFINISHED_FILE,
} from "./chain-folder.ts";
import type { BlockCommit, ChainCommit, ChainGenesis, ChainStoreWriter } from "./commit.ts";
import { LMDB_LOCK_SUFFIX, padLmdbFile } from "./lmdb-file.ts";
import { blockKey, genesisRecord, headRecord, type StoredHead } from "./records.ts";
import { GENESIS, HEAD, knownHeader, storeContents, storedGenesis, storedHead } from "./store-contents.ts";
import { reasonOf } from "./store-error.ts";
import { openTables, putChangingFormat, type Tables } from "./tables.ts";
import { cellKeeper, putAccounts, putProducerState, putStep } from "./write-step.ts";

/**
 * Creates the store of a chain in a folder that is empty or does not exist yet. The file is written under another name and renamed
 * when it is complete, so an interrupted call leaves no chain.
 *
 * @throws ChainStoreError if the folder is not empty, another process writes in it, or it cannot be written.
 */
export async function createStore(directory: string, genesis: ChainGenesis): Promise<void> {
  checkFolderIsFree(directory);
  const made = makeFolder(directory);
  try {
    await createLocked(directory, genesis);
  } catch (cause) {
    removeFolders(directory, made);
    throw notWritable(directory, cause);
  }
}

async function createLocked(directory: string, genesis: ChainGenesis): Promise<void> {
  const unlock = lockForWriting(directory);
  const unfinished = join(directory, UNFINISHED_FILE);
  try {
    // Another process may have created a chain before the lock was taken.
    checkFolderIsFree(directory);
    removeLmdbFile(unfinished);
    await writeChain(unfinished, genesis);
    renameSync(unfinished, join(directory, CHAIN_FILE));
  } catch (cause) {
    removeLmdbFile(unfinished);
    if (!existsSync(join(directory, CHAIN_FILE))) rmSync(join(directory, LOCK_FILE), { force: true });
    throw cause;
  } finally {
    rmSync(`${unfinished}${LMDB_LOCK_SUFFIX}`, { force: true });
    unlock();
  }
}

/** Returns the uppermost folder that was made, if any. */
function makeFolder(directory: string): string | undefined {
  try {
    return mkdirSync(directory, { recursive: true });
  } catch (cause) {
    throw notWritable(directory, cause);
  }
}

/** Removes the folders that were made, unless another process has written into them. */
function removeFolders(directory: string, uppermost: string | undefined): void {
  if (uppermost === undefined) return;
  const end = resolve(uppermost);
  for (let folder = resolve(directory); folder.startsWith(end); folder = dirname(folder)) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

async function writeChain(file: string, genesis: ChainGenesis): Promise<void> {
  const tables = openTables(file, "create");
  try {
    tables.root.transactionSync(() => putGenesis(tables, genesis));
  } finally {
    await tables.root.close();
  }
  padLmdbFile(file);
}

function putGenesis(tables: Tables, genesis: ChainGenesis): void {
  const { time, retentionSeconds, options } = genesis;
  const zeroStates = [genesis.masterchain, ...genesis.shards];
  for (const { id, boc } of zeroStates) tables.blockData.putSync(blockKey(id, 0), boc);
  putAccounts(tables, genesis.accounts, 0, cellKeeper(tables.cells));
  putProducerState(tables, genesis.producer);
  const shards = genesis.shards.map(({ id }) => id);
  const stored = { time, retentionSeconds, options, masterchain: genesis.masterchain.id, shards };
  const { resharding = "none", keyBlocks = "none", shardBlocks = "one", puppets = 0 } = options;
  if (resharding !== "none" || keyBlocks !== "none" || shardBlocks !== "one" || puppets !== 0) putChangingFormat(tables);
  tables.meta.putSync(GENESIS, genesisRecord.encode(stored));
  tables.meta.putSync(HEAD, headRecord.encode(genesisHead(zeroStates.map(({ id }) => id))));
}

/** @param zeroStates - The masterchain's first, then by shard. */
export function genesisHead(zeroStates: readonly BlockId[]): StoredHead {
  const tips = zeroStates.map(({ workchain, shard, seqno }) => ({ workchain, shard, seqno }));
  return { seqno: 0, transactionCount: 0n, burnt: 0n, tips };
}

function removeLmdbFile(file: string): void {
  rmSync(file, { force: true });
  rmSync(`${file}${LMDB_LOCK_SUFFIX}`, { force: true });
}

/**
 * Opens the store of a chain for the one process that writes it.
 *
 * @throws ChainStoreError if the folder holds no chain, one of another version or a damaged one, or if another process writes in it.
 */
export function openStore(directory: string): ChainStoreWriter {
  const file = chainFileToWrite(directory);
  const unlock = lockForWriting(directory);
  try {
    padLmdbFile(file);
    return storeWriter(openTables(file, "write"), file, unlock);
  } catch (cause) {
    unlock();
    throw cause;
  }
}

function storeWriter(tables: Tables, file: string, unlock: () => void): ChainStoreWriter {
  const genesis = storedGenesis(tables);
  const keepCell = cellKeeper(tables.cells);
  let head = storedHead(tables);
  let state: "open" | "failed" | "closed" = "open";

  const commit = (steps: readonly ChainCommit[]): void => {
    if (state !== "open") throw new ChainStoreError(NOT_OPEN[state]);
    checkLinks(
      head.tips.map((tip) => knownHeader(tables, genesis, tip, tip.seqno).id),
      steps,
    );
    const next = steps.reduce(headAfter, head);
    try {
      tables.root.transactionSync(() => {
        for (const step of steps) putStep(tables, step, keepCell);
        tables.meta.putSync(HEAD, headRecord.encode(next));
      });
    } catch (cause) {
      state = "failed";
      if (cause instanceof ChainStoreError) throw cause;
      throw new ChainStoreError(`step ${next.seqno} could not be written: ${reasonOf(cause)}`, { cause });
    }
    head = next;
    tryToPad(file);
  };

  return {
    ...storeContents(tables, genesis),
    get tips() {
      return head.tips.map((tip) => knownHeader(tables, genesis, tip, tip.seqno));
    },
    get burnt() {
      return head.burnt;
    },
    commit: async (...steps) => commit(steps),
    close: async () => {
      if (state === "closed") return;
      state = "closed";
      await tables.root.close();
      unlock();
    },
  };
}

/** Saves readers from waiting for the padding. The step is on disk already, so a failure here is not a failure of the step. */
function tryToPad(file: string): void {
  try {
    padLmdbFile(file);
  } catch {
    // The next commit tries again, and so does the next process that opens the chain.
  }
}

const NOT_OPEN = {
  failed: "a step could not be written, so no further one is accepted; open the chain again",
  closed: "the chain is closed",
} as const;

export function headAfter(head: StoredHead, { masterchain, shards, burnt }: ChainCommit): StoredHead {
  const blocks = [...shards, masterchain];
  const added = blocks.reduce((sum, { transactions }) => sum + transactions.length, 0);
  return {
    seqno: masterchain.id.seqno,
    transactionCount: head.transactionCount + BigInt(added),
    burnt,
    tips: blocks
      .map(({ id }) => id)
      .reduce<readonly StoredTip[]>(withTip, head.tips)
      .map(({ workchain, shard, seqno }) => ({ workchain, shard, seqno })),
  };
}

type StoredTip = StoredHead["tips"][number];

/** Replaces the tips of the block's shard, of its halves, or of the shard of which it is one half. */
function withTip<Tip extends StoredTip>(tips: readonly Tip[], id: Tip): readonly Tip[] {
  const at = tips.findIndex((tip) => isSameShard(tip, id));
  if (at >= 0) return tips.with(at, id);
  return [...tips.filter((tip) => !intersects(tip, id)), id].sort(compareShards);
}

/** Throws if a step does not follow the stored blocks: a bug of the producer that readers would not notice. */
function checkLinks(stored: readonly BlockId[], steps: readonly ChainCommit[]): void {
  let tips = stored;
  for (const { shards, masterchain } of steps) {
    const before = tips;
    for (const block of [...shards, masterchain]) {
      const own = tips.find((tip) => isSameShard(tip, block.id));
      // After a split, the other half may have replaced the tip already.
      const tip = own ?? before.find((former) => isSameShard(former, block.previous) && intersects(former, block.id));
      if (!tip || !follows(block, tip))
        throw new Error(
          `block ${blockName(block.id)} does not follow ${tip ? `block ${blockName(tip)}` : "any block of the chain"}`,
        );
      tips = withTip(tips, block.id);
    }
  }
}

/** After a merge, the seqno is above those of both blocks before. */
function follows({ id, previous }: BlockCommit, tip: BlockId): boolean {
  const isNext = isSameShard(id, tip) ? id.seqno === tip.seqno + 1 : id.seqno > tip.seqno;
  return isNext && previous.seqno === tip.seqno && isEqual(previous.rootHash, tip.rootHash);
}
