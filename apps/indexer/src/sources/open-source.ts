import type { StepSource } from "@chain-query/chain-store";
import { CommandLineError } from "@chain-query/command-line";
import { chainSteps } from "@chain-query/local-chain";

/** Where the steps come from: a chain in a folder, or a live network. */
export type SourceOptions = { readonly chain: string } | LiteSourceOptions;

/** Files are those of `global.config.json`. */
export interface LiteSourceOptions {
  readonly liteServers: string;
  /** Servers that have the whole history. */
  readonly archival?: string;
  /** Queries per second to a server. */
  readonly rate: number;
}

/** Opens a source. @throws ChainStoreError or ConfigError with a line for the operator. */
export async function openSource(options: SourceOptions): Promise<StepSource> {
  if ("chain" in options) return chainSteps(options.chain);
  throw new CommandLineError(["--from-lite-servers: not available yet"]);
}
