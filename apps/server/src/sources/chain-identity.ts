/** Checks that the folder of a service still holds the chain that it started with. */

import { statSync } from "node:fs";
import { join } from "node:path";
import { hex } from "@chain-query/format/cells";
import { ChainStoreError } from "@chain-query/format/store";
import type { LocalChain } from "@chain-query/local-chain";
import { openChain } from "@chain-query/local-chain/reader";

/** The file of a chain and its zero state. Equal chains in other files differ: a restored copy may have an older head. */
export interface ChainIdentity {
  /** Device and inode. */
  readonly file: string;
  /** Hash of the masterchain's zero state, hexadecimal. */
  readonly zeroState: string;
}

/** Whether a folder holds a complete chain. */
export function hasChain(folder: string): boolean {
  return chainFile(folder) !== undefined;
}

/** Device and inode of a chain's file; undefined if the folder holds no chain. */
function chainFile(folder: string): string | undefined {
  const stats = statSync(join(folder, "chain.mdb"), { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
}

/** Reads the identity of the chain in a folder. @throws ChainStoreError if the folder has no chain, or a damaged one. */
export async function readIdentity(folder: string): Promise<ChainIdentity> {
  const chain = openChain(folder);
  try {
    return identityOf(folder, chain);
  } finally {
    await chain.close();
  }
}

export function identityOf(folder: string, chain: LocalChain): ChainIdentity {
  return { file: chainFile(folder) ?? "", zeroState: hex(chain.genesis().block.rootHash) };
}

/** Why the folder of an opened chain does not hold it any more, in words for anyone; undefined if it does. It is still read. */
export function folderProblem(folder: string, opened: ChainIdentity): string | undefined {
  try {
    checkFile(folder, opened);
    return undefined;
  } catch (error) {
    const what = error instanceof ChainStoreError ? "was removed or replaced" : "cannot be read";
    return `the chain of this service ${what}`;
  }
}

/** Checks that a folder still holds the chain that the service started with. @throws ChainStoreError if not. */
export function checkIdentity(folder: string, expected: ChainIdentity, found: ChainIdentity): void {
  if (found.file === expected.file && found.zeroState === expected.zeroState) return;
  throw new ChainStoreError(
    `${folder} was replaced: it holds another chain than when the service started; restart the service`,
  );
}

/** Checks only the file, which is fast. @throws ChainStoreError if it was removed or replaced. */
export function checkFile(folder: string, { file }: Pick<ChainIdentity, "file">): void {
  const found = chainFile(folder);
  if (found === undefined) throw new ChainStoreError(`${folder} holds no chain any more: its file chain.mdb was removed`);
  if (found !== file)
    throw new ChainStoreError(`${folder} was replaced: chain.mdb is not the file that the service opened; restart the service`);
}
