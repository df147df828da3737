/** What the workers of a live network have in common: checked copies of the files of lite servers, and the newest head. */
import { copyFileSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LiteOptions } from "../serve-options.ts";
import { readLiteConfig } from "../sources/lite-config.ts";

/** A temporary folder. */
export interface SharedFolder {
  readonly path: string;
  /** The options with the copies instead of the files: a worker that is restarted must not read a file that is being edited. */
  readonly lite: LiteOptions;
  /** Checks the files and copies them again. @throws StartError with one line; the copies stay what they were. */
  refresh(): void;
  remove(): void;
}

/** Makes the folder. @throws StartError if a file cannot be used. */
export function createSharedFolder(lite: LiteOptions): SharedFolder {
  const path = mkdtempSync(join(tmpdir(), "chain-query-network-"));
  const copies = {
    servers: join(path, "servers.json"),
    archival: lite.archival === undefined ? undefined : join(path, "archival.json"),
  };
  const refresh = (): void => {
    readLiteConfig(lite);
    replace(lite.servers, copies.servers);
    if (lite.archival !== undefined && copies.archival !== undefined) replace(lite.archival, copies.archival);
  };
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  try {
    refresh();
  } catch (error) {
    remove();
    throw error;
  }
  return { path, lite: { ...lite, ...copies }, refresh, remove };
}

/** A worker reads the old copy or the new one, never a part. */
function replace(file: string, copy: string): void {
  copyFileSync(file, `${copy}.new`);
  renameSync(`${copy}.new`, copy);
}
