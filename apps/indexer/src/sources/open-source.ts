import { readFileSync } from "node:fs";
import { CommandLineError, type StatusLine } from "@chain-query/command-line";
import { isEqual } from "@chain-query/format/cells";
import type { StepSource } from "@chain-query/format/store";
import {
  defaultAnchor,
  type GlobalConfig,
  type LiteEvent,
  type LiteEventLine,
  type LiteHistory,
  liteClient,
  liteEventLines,
  liteSyncStatus,
  parseGlobalConfig,
  type SignedForkStore,
} from "@chain-query/lite";
import { addLiteMetrics } from "@chain-query/lite/metrics";
import { chainSteps } from "@chain-query/local-chain";
import type { Registry } from "prom-client";
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
  /** The file of the newest verified key block; by default one for each network in the folder `state`. */
  readonly anchor?: string;
  /** The public key of the server whose newest block is believed without signatures. */
  readonly headFrom?: Uint8Array;
  /** The folder of files that must survive a restart. */
  readonly state?: string;
}

/** Where the events of lite servers go. */
export interface LiteReports {
  /** Receives a log line. */
  readonly onLine?: (line: LiteEventLine) => void;
  /** Shows how far signatures are verified before the first head. */
  readonly progress?: StatusLine;
  /** Gets the metrics of the servers. */
  readonly registry?: Registry | undefined;
  /** Where it is kept that validators have signed two chains. */
  readonly signedForks?: SignedForkStore | undefined;
}

/** The queries of a source to lite servers. */
export interface SourceQueries {
  /** Answered queries since the start. */
  readonly all: number;
  /** Those for the states of accounts. */
  readonly ofAccounts: number;
  /** Per second that `--lite-rate` allows to the servers that are connected. */
  readonly limit: number;
}

/** A source that counts its queries. */
export interface CountingSource extends StepSource {
  /** Undefined for a chain in a folder. */
  queries(): SourceQueries | undefined;
  /** That the newest step is not verified, in one line. */
  readonly warning?: string | undefined;
}

/** Milliseconds for a read. Longer than for the API, since no request waits for it. */
const TIMEOUT = 30_000;

/** Opens a source. @throws ChainStoreError or CommandLineError with a line for the operator. */
export function openSource(
  options: SourceOptions,
  { onLine = () => {}, progress, registry, signedForks }: LiteReports = {},
): CountingSource {
  if ("chain" in options) return { ...chainSteps(options.chain), queries: () => undefined };
  const config = readConfig("--from-lite-servers", options.liteServers);
  const old = options.archival === undefined ? undefined : readConfig("--lite-archival", options.archival);
  if (old && !isEqual(old.zeroState.rootHash, config.zeroState.rootHash)) {
    throw new CommandLineError([
      `--lite-archival ${options.archival}: validator.zero_state: must be that of --from-lite-servers, got another network`,
    ]);
  }
  const { rate, headFrom } = options;
  const anchorFile = options.anchor ?? anchorIn(options.state, config, onLine);
  const count =
    registry &&
    addLiteMetrics(
      registry,
      () => client.servers,
      () => client.head?.block.seqno,
      () => client.problem,
    );
  const showSync = progress && liteSyncStatus(progress);
  const lineOf = liteEventLines();
  let [all, ofAccounts] = [0, 0];
  const onEvent = (event: LiteEvent): void => {
    count?.(event);
    showSync?.(event);
    if (event.type === "answer" && event.outcome !== "cancelled") {
      all += 1;
      if (event.function === "getAccountState") ofAccounts += 1;
    }
    const line = lineOf(event);
    if (line) onLine(line);
  };
  const client = liteClient(config, {
    ...{ anchorFile, headFrom, signedForks },
    rate,
    timeoutMs: TIMEOUT,
    archival: old?.servers ?? [],
    onEvent,
  });
  const limit = (): number => rate * client.servers.filter(({ state }) => state === "ready").length;
  return { ...liteServerSteps({ client }), queries: () => ({ all, ofAccounts, limit: limit() }), warning: client.warning };
}

/** The default anchor, if there is a place for it. */
function anchorIn(
  state: string | undefined,
  config: GlobalConfig,
  onLine: NonNullable<LiteReports["onLine"]>,
): string | undefined {
  let reason = "no state folder";
  try {
    if (state !== undefined) return defaultAnchor(state, config);
  } catch (error) {
    reason = error instanceof Error ? error.message : String(error);
  }
  const message =
    "there is no folder for the anchor, so each start verifies all signatures since the init_block; name a file with --lite-anchor";
  onLine({ level: "warn", message, details: { reason } });
  return undefined;
}

/** How much history the lite servers of a file keep. @throws CommandLineError with a line for the operator. */
export async function readHistories(flag: string, file: string): Promise<readonly LiteHistory[]> {
  await using client = liteClient(readConfig(flag, file));
  return await client.findHistories();
}

/** @throws CommandLineError with a line for the operator. */
function readConfig(flag: string, file: string): GlobalConfig {
  try {
    return parseGlobalConfig(readFileSync(file, "utf8"));
  } catch (error) {
    throw new CommandLineError([`${flag} ${file}: ${error instanceof Error ? error.message : error}`]);
  }
}
