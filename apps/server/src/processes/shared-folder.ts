/** What the workers of a live network have in common: checked copies of the files of lite servers, and the newest head. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LiteOptions } from "../serve-options.ts";
import type { LiteConfig } from "../sources/lite-config.ts";

/** A temporary folder. */
export interface SharedFolder {
  readonly path: string;
  /** The options with the copies instead of the files: a worker that is restarted must not read a file that is being edited. */
  readonly lite: LiteOptions;
  /** Replaces the copies. Workers that start from now on use them. */
  write(config: LiteConfig): void;
  remove(): void;
}

/** Makes the folder. */
export function createSharedFolder(lite: LiteOptions, config: LiteConfig): SharedFolder {
  const path = mkdtempSync(join(tmpdir(), "chain-query-network-"));
  const copies = {
    servers: join(path, "servers.json"),
    archival: lite.archival === undefined ? undefined : join(path, "archival.json"),
  };
  const write = ({ texts }: LiteConfig): void => {
    replace(copies.servers, texts.servers);
    replace(copies.archival, texts.archival);
  };
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  try {
    write(config);
  } catch (error) {
    remove();
    throw error;
  }
  return { path, lite: { ...lite, ...copies }, write, remove };
}

/** A worker reads the old copy or the new one, never a part. */
function replace(copy: string | undefined, text: string | undefined): void {
  if (copy === undefined || text === undefined) return;
  writeFileSync(`${copy}.new`, text);
  renameSync(`${copy}.new`, copy);
}
