/** The files that list lite servers, and the client that reads from them. */
import { readFileSync } from "node:fs";
import { type GlobalConfig, liteClient, type OnLiteEvent, parseGlobalConfig } from "@chain-query/lite-client";
import { StartError } from "../failure.ts";
import type { LiteOptions } from "../serve-options.ts";
import type { LiteConnection } from "./lite-network.ts";

/** The content of the files. */
export interface LiteConfig {
  readonly servers: GlobalConfig;
  readonly archival: GlobalConfig | undefined;
}

/** Reads and checks the files. @throws StartError with one line that says what is wrong and where. */
export function readLiteConfig({ servers, archival }: Pick<LiteOptions, "servers" | "archival">): LiteConfig {
  const config = {
    servers: readFile("--lite-servers", servers),
    archival: archival === undefined ? undefined : readFile("--lite-archival", archival),
  };
  const other = config.archival?.zeroState.rootHash;
  if (other !== undefined && !Buffer.from(other).equals(config.servers.zeroState.rootHash))
    throw new StartError(
      `--lite-archival ${archival}: validator.zero_state: must be that of --lite-servers, got another network`,
    );
  return config;
}

function readFile(flag: string, file: string): GlobalConfig {
  try {
    return parseGlobalConfig(readFileSync(file, "utf8"));
  } catch (error) {
    throw new StartError(`${flag} ${file}: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * Connects to the servers of the files.
 *
 * @param processes - Number of processes that share the rate.
 */
export function connect(options: LiteOptions, processes: number, onEvent: OnLiteEvent): LiteConnection {
  const { servers, archival } = readLiteConfig(options);
  const client = liteClient(servers, {
    trust: options.trust,
    timeoutMs: options.timeout * 1000,
    rate: options.rate / processes,
    archival: archival?.servers ?? [],
    onEvent,
  });
  return { client, hasArchive: (archival?.servers.length ?? 0) > 0 };
}
