import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CHAIN_FILE, checkFolderIsFree, LOCK_FILE, lockForWriting, notWritable, UNFINISHED_FILE } from "./chain-folder.ts";
import type { ChainGenesis } from "./commit.ts";
import { blockKey } from "./keys.ts";
import { LMDB_LOCK_SUFFIX, padLmdbFile } from "./lmdb-file.ts";
import { genesisRecord, headRecord } from "./records.ts";
import { GENESIS, HEAD } from "./store-contents.ts";
import { openTables, type Tables } from "./tables.ts";
import { cellKeeper, putAccounts, putProducerState } from "./write-step.ts";

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
  const tips = zeroStates.map(({ id: { workchain, shard, seqno } }) => ({ workchain, shard, seqno }));
  const stored = { time, retentionSeconds, options, masterchain: genesis.masterchain.id, shards };
  const head = { seqno: 0, transactionCount: 0n, totals: { minted: 0n, burnt: 0n }, tips };
  tables.meta.putSync(GENESIS, genesisRecord.encode(stored));
  tables.meta.putSync(HEAD, headRecord.encode(head));
}

function removeLmdbFile(file: string): void {
  rmSync(file, { force: true });
  rmSync(`${file}${LMDB_LOCK_SUFFIX}`, { force: true });
}
