import type { StatusLine } from "@chain-query/command-line";
import type { StepSource } from "@chain-query/format/store";
import {
  anchorFileOf,
  type LiteEvent,
  type LiteEventLine,
  type LiteFiles,
  type LiteHistory,
  liteClient,
  liteEventLines,
  liteSyncStatus,
  readGlobalConfig,
  readLiteConfig,
  type SignedForkStore,
} from "@chain-query/lite";
import { addLiteMetrics } from "@chain-query/lite/metrics";
import { chainSteps } from "@chain-query/local-chain";
import type { Registry } from "prom-client";
import { liteServerSteps } from "./lite-servers.ts";

/** The source of steps: a chain in a folder, or a live network. */
export type SourceOptions = { readonly chain: string } | LiteSourceOptions;

/** Lite servers, from files in the format of `global.config.json`. */
interface LiteSourceOptions extends LiteFiles {
  /** Queries per second to a server. */
  readonly rate: number;
  /** The public key of the server whose newest block is believed without signatures. */
  readonly headFrom?: Uint8Array;
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

/** Opens a source. @throws ChainStoreError or ConfigError with a line for the operator. */
export function openSource(
  options: SourceOptions,
  { onLine = () => {}, progress, registry, signedForks }: LiteReports = {},
): CountingSource {
  if ("chain" in options) return { ...chainSteps(options.chain), queries: () => undefined };
  const { rate, headFrom } = options;
  const config = readLiteConfig(options);
  const anchorFile = anchorFileOf(options, config, (message, reason) =>
    onLine({ level: "warn", message, details: { reason } }),
  );
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
  const client = liteClient(config.servers, {
    ...{ anchorFile, headFrom, signedForks },
    rate,
    timeoutMs: TIMEOUT,
    archival: config.archival?.servers ?? [],
    onEvent,
  });
  const limit = (): number => rate * client.servers.filter(({ state }) => state === "ready").length;
  return { ...liteServerSteps({ client }), queries: () => ({ all, ofAccounts, limit: limit() }), warning: client.warning };
}

/** How much history the lite servers of a file keep. @throws ConfigError with a line for the operator. */
export async function readHistories(file: string): Promise<readonly LiteHistory[]> {
  await using client = liteClient(readGlobalConfig(file));
  return await client.findHistories();
}
