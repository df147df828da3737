/** The files that list lite servers, and the client that reads from them. */
import { readFileSync } from "node:fs";
import { type GlobalConfig, liteClient, type OnLiteEvent, parseGlobalConfig } from "@chain-query/lite-client";
import { StartError } from "../failure.ts";
import type { LiteOptions, ServeOptions } from "../serve-options.ts";
import type { LiteConnection } from "./lite-network.ts";

/** The content of the files. */
export interface LiteConfig {
  readonly servers: GlobalConfig;
  readonly archival: GlobalConfig | undefined;
  /** The text of each file. */
  readonly texts: Readonly<Record<"servers" | "archival", string | undefined>>;
}

/** Reads and checks the files. @throws StartError with one line that says what is wrong and where. */
export function readLiteConfig({ servers, archival }: Pick<LiteOptions, "servers" | "archival">): LiteConfig {
  const listed = readFile("--lite-servers", servers);
  const old = archival === undefined ? undefined : readFile("--lite-archival", archival);
  const other = old?.config.zeroState.rootHash;
  if (other !== undefined && !Buffer.from(other).equals(listed.config.zeroState.rootHash))
    throw new StartError(
      `--lite-archival ${archival}: validator.zero_state: must be that of --lite-servers, got another network`,
    );
  return { servers: listed.config, archival: old?.config, texts: { servers: listed.text, archival: old?.text } };
}

function readFile(flag: string, file: string): { text: string; config: GlobalConfig } {
  try {
    const text = readFileSync(file, "utf8");
    return { text, config: parseGlobalConfig(text) };
  } catch (error) {
    throw new StartError(`${flag} ${file}: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * Connects to the servers of the files.
 *
 * @param service - `workers` share the rate.
 */
export function connect(
  { servers, archival }: LiteConfig,
  options: LiteOptions,
  { workers, deadline }: Pick<ServeOptions, "workers" | "deadline">,
  onEvent: OnLiteEvent,
): LiteConnection {
  const client = liteClient(servers, {
    trust: options.trust,
    // The signals of requests end reads; a read that several requests share may begin before the last of them.
    timeoutMs: 2 * deadline * 1000,
    rate: options.rate / workers,
    archival: archival?.servers ?? [],
    onEvent,
  });
  return { client, hasArchive: (archival?.servers.length ?? 0) > 0 };
}
