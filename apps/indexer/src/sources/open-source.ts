import { readFileSync } from "node:fs";
import { CommandLineError } from "@chain-query/command-line";
import { isEqual } from "@chain-query/format/cells";
import type { StepSource } from "@chain-query/format/store";
import { type GlobalConfig, liteClient, parseGlobalConfig } from "@chain-query/lite-client";
import { chainSteps } from "@chain-query/local-chain";
import { liteServerSteps } from "./lite-servers.ts";

/** The source of steps: a chain in a folder, or a live network. */
export type SourceOptions = { readonly chain: string } | LiteSourceOptions;

/** Lite servers, from files in the format of `global.config.json`. */
interface LiteSourceOptions {
  readonly liteServers: string;
  /** Servers that have the whole history. */
  readonly archival?: string;
  /** Queries per second to a server. */
  readonly rate: number;
}

/** Milliseconds for a read. Longer than for the API, since no request waits for it. */
const TIMEOUT = 30_000;

/** Opens a source. @throws ChainStoreError or CommandLineError with a line for the operator. */
export function openSource(options: SourceOptions): StepSource {
  if ("chain" in options) return chainSteps(options.chain);
  const config = readConfig("--from-lite-servers", options.liteServers);
  const old = options.archival === undefined ? undefined : readConfig("--lite-archival", options.archival);
  if (old && !isEqual(old.zeroState.rootHash, config.zeroState.rootHash)) {
    throw new CommandLineError([
      `--lite-archival ${options.archival}: validator.zero_state: must be that of --from-lite-servers, got another network`,
    ]);
  }
  const client = liteClient(config, { rate: options.rate, timeoutMs: TIMEOUT, archival: old?.servers ?? [] });
  return liteServerSteps({ client });
}

function readConfig(flag: string, file: string): GlobalConfig {
  try {
    return parseGlobalConfig(readFileSync(file, "utf8"));
  } catch (error) {
    throw new CommandLineError([`${flag} ${file}: ${error instanceof Error ? error.message : error}`]);
  }
}
