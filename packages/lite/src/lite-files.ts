/** The files of a program that reads lite servers: their lists, and the newest verified key block. */
import { readFileSync } from "node:fs";
import { isEqual } from "@chain-query/format/cells";
import { defaultAnchor } from "./head/anchor.ts";
import { ConfigError, type GlobalConfig, parseGlobalConfig } from "./servers/global-config.ts";

/** How to read a network through its lite servers. */
export interface LiteFiles {
  /** The global.config.json that lists the servers. */
  readonly servers: string;
  /** Another such file, with servers that have the whole history. */
  readonly archival?: string | undefined;
  /** The file of the newest verified key block; by default one for each network in the folder `state`. */
  readonly anchor?: string | undefined;
  /** The folder of files that must survive a restart; absent: without `anchor`, each start verifies all signatures. */
  readonly state?: string | undefined;
}

/** The lists of servers. */
export interface LiteConfig {
  readonly servers: GlobalConfig;
  readonly archival: GlobalConfig | undefined;
}

/** Reads and checks the lists. @throws ConfigError with one line that says what is wrong and where. */
export function readLiteConfig({ servers, archival }: LiteFiles): LiteConfig {
  const listed = readGlobalConfig(servers);
  const old = archival === undefined ? undefined : readGlobalConfig(archival);
  if (old !== undefined && !isEqual(old.zeroState.rootHash, listed.zeroState.rootHash))
    throw new ConfigError(`${archival}: validator.zero_state: must be that of ${servers}, got another network`);
  return { servers: listed, archival: old };
}

/** Reads a global.config.json. @throws ConfigError with one line that says what is wrong and where. */
export function readGlobalConfig(file: string): GlobalConfig {
  try {
    return parseGlobalConfig(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ConfigError(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}

/** The file of the anchor, if there is a place for it. @param onWarning - Called without one, with the line and its reason. */
export function anchorFileOf(
  { anchor, state }: LiteFiles,
  { servers }: LiteConfig,
  onWarning: (message: string, reason: string) => void,
): string | undefined {
  if (anchor !== undefined) return anchor;
  let reason = "no state folder";
  try {
    if (state !== undefined) return defaultAnchor(state, servers);
  } catch (error) {
    reason = error instanceof Error ? error.message : String(error);
  }
  const cost = "there is no folder for the anchor, so each start verifies all signatures since the init_block";
  onWarning(`${cost}; name a file with --lite-anchor`, reason);
  return undefined;
}
