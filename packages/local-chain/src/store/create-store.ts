import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { BlockId } from "../domain.ts";
import { cellKeeper } from "./cell-keeper.ts";
import { GENESIS, HEAD } from "./chain-records.ts";
import type { ChainGenesis } from "./commit.ts";
import { CHAIN_FILE, checkFolderIsFree, LOCK_FILE, UNFINISHED_FILE } from "./folder.ts";
import { blockKey } from "./keys.ts";
import { LMDB_LOCK_SUFFIX, padLmdbFile } from "./lmdb-file.ts";
import { writeGenesis } from "./records/genesis-record.ts";
import { writeHead } from "./records/head-record.ts";
import { putAccounts, putProducerState } from "./step.ts";
import { ChainStoreError, reasonOf } from "./store-error.ts";
import { openTables, type Tables } from "./tables.ts";
import { lockForWriting } from "./writer-lock.ts";

/**
 * Makes the store of a chain in an empty folder, or in one that does not exist yet. The chain is there whole or not at all: it is
 * written under another name, which it loses at the end.
 *
 * @throws ChainStoreError where the folder holds something, another process writes in it, or nothing can be written.
 */
export async function createStore(directory: string, genesis: ChainGenesis): Promise<void> {
  checkFolderIsFree(directory);
  const made = makeFolder(directory);
  try {
    await createLocked(directory, genesis);
  } catch (cause) {
    removeFolders(directory, made);
    throw asStoreError(directory, cause);
  }
}

async function createLocked(directory: string, genesis: ChainGenesis): Promise<void> {
  const unlock = lockForWriting(directory);
  const unfinished = join(directory, UNFINISHED_FILE);
  try {
    // Another process may have made one before the lock was taken.
    checkFolderIsFree(directory);
    removeStoreFile(unfinished);
    await writeChain(unfinished, genesis);
    renameSync(unfinished, join(directory, CHAIN_FILE));
  } catch (cause) {
    removeStoreFile(unfinished);
    if (!existsSync(join(directory, CHAIN_FILE))) rmSync(join(directory, LOCK_FILE), { force: true });
    throw cause;
  } finally {
    rmSync(`${unfinished}${LMDB_LOCK_SUFFIX}`, { force: true });
    unlock();
  }
}

/** Gives the uppermost folder that was made, if any was. */
function makeFolder(directory: string): string | undefined {
  try {
    return mkdirSync(directory, { recursive: true });
  } catch (cause) {
    throw asStoreError(directory, cause);
  }
}

/** Removes the folders that were made, as far as nobody else has put something into them. */
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

function asStoreError(directory: string, cause: unknown): ChainStoreError {
  if (cause instanceof ChainStoreError) return cause;
  return new ChainStoreError(`${directory} cannot be written: ${reasonOf(cause)}`, { cause });
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
  tables.meta.putSync(GENESIS, writeGenesis({ time, retentionSeconds, options, masterchain: genesis.masterchain.id, shards }));
  tables.meta.putSync(
    HEAD,
    writeHead({
      seqno: 0,
      transactionCount: 0n,
      totals: { minted: 0n, burnt: 0n },
      tips: zeroStates.map(({ id }) => tipOf(id)),
    }),
  );
}

function tipOf({ workchain, shard, seqno }: BlockId): Pick<BlockId, "workchain" | "shard" | "seqno"> {
  return { workchain, shard, seqno };
}

function removeStoreFile(file: string): void {
  rmSync(file, { force: true });
  rmSync(`${file}${LMDB_LOCK_SUFFIX}`, { force: true });
}
