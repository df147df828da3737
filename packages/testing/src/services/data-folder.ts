/** Copies the data folder of a PostgreSQL server. */
import { constants } from "node:fs";
import { chown, copyFile, mkdir, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { User } from "./server.ts";

/** Folders that a base backup has without their files. */
export const emptyInBackups: ReadonlySet<string> = new Set([
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
]);
const leftOut = /^(postmaster\.(pid|opts)|standby\.signal|pgsql_tmp.*|pg_internal\.init.*)$/;

/**
 * The copy belongs to the user. Files that the server removes in the meantime are left out.
 *
 * @param emptyFolders - Folders to make without their files: `emptyInBackups` of a running server.
 */
export async function copyDataFolder(
  from: string,
  to: string,
  user: User | undefined,
  emptyFolders: ReadonlySet<string> = new Set(),
): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  if (user !== undefined) await chown(to, user.uid, user.gid);
  if (emptyFolders.has(basename(from))) return;
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (leftOut.test(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyDataFolder(source, target, user, emptyFolders);
    else if ((await copyIfPresent(source, target)) && user !== undefined) await chown(target, user.uid, user.gid);
  }
}

async function copyIfPresent(from: string, to: string): Promise<boolean> {
  return copyFile(from, to, constants.COPYFILE_FICLONE).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
}
