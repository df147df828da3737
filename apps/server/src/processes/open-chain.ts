/** Opens the source of a process: a chain in a folder, a live network, or an index. Loads only the modules of this kind. */

import type { AnswerProofs, ChainReader } from "@chain-query/format/store";
import type { LiteServerStatus } from "@chain-query/lite";
import { openChain } from "@chain-query/local-chain/reader";
import type { Databases } from "@chain-query/postgres-store";
import type { Logger } from "pino";
import { serviceProofs, serviceReader, type WordsOf } from "../decorate.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { ChainOptions, NetworkOptions, ServeOptions } from "../serve-options.ts";
import { type ChainIdentity, checkIdentity, folderProblem, identityOf } from "../sources/chain-identity.ts";
import { openLiteServers } from "./open-lite-servers.ts";

export interface OpenSource {
  readonly source: ChainReader;
  /** Loads the proofs of the source; undefined if it has none. */
  readonly proofs?: (() => Promise<AnswerProofs | undefined>) | undefined;
  /** The lite servers, if the source has any. */
  readonly servers?: () => readonly LiteServerStatus[];
  /** The databases, if the source is an index. */
  readonly databases?: Databases;
  /** Why the service is not ready although the source can be read; undefined if it is. */
  readonly problem?: () => string | undefined;
  /** A problem of a service that is ready; undefined if it has no problem. */
  readonly warning?: () => string | undefined;
  /** Reads the list of lite servers again. If the new ones cannot be used, the log says why and the old ones stay. */
  reload(): Promise<void>;
}

/** The state that a source needs besides the options. */
export interface SourceDependencies {
  /** The chain that the folder has to hold; undefined without a folder. */
  readonly identity: ChainIdentity | undefined;
  readonly log: Logger;
  /** Ends the start. */
  readonly signal?: AbortSignal | undefined;
}

/** A source whose reads are not decorated yet. */
interface OpenReader extends Omit<OpenSource, "source"> {
  readonly reader: ChainReader;
  readonly wordsOf: WordsOf;
  /** Why nothing may be read, in words for callers; undefined if everything may. */
  readonly unreadable?: () => string | undefined;
}

/** A chain in a folder fails only by damage, which the log describes. */
const chainWords = { slow: "the chain did not answer in time", unavailable: "the chain cannot be read" };

/** Milliseconds that the first lite server has to name a head before the process listens without one. */
const connectTimeout = 3_000;

/**
 * Opens the source.
 *
 * @throws ChainStoreError or StartError with a line for the operator.
 */
export async function openSource(options: ServeOptions, setting: SourceDependencies, metrics: Metrics): Promise<OpenSource> {
  const { reader, proofs, wordsOf, unreadable: problem, ...opened } = await openReader(options, setting, metrics);
  const decoration = { wordsOf, onRead: metrics.read, ...(problem && { problem }) };
  // Most services are asked for no proof, and start without these modules.
  let loading: Promise<AnswerProofs | undefined> | undefined;
  const load = (): Promise<AnswerProofs | undefined> =>
    (loading ??= Promise.resolve(proofs?.()).then((found) => found && serviceProofs(found, decoration)));
  return { ...opened, source: serviceReader(reader, decoration), proofs: proofs && load };
}

async function openReader(options: ServeOptions, setting: SourceDependencies, { registry }: Metrics): Promise<OpenReader> {
  const { source, retention, deadline } = options;
  if (source.kind === "index") {
    const { openIndex } = await import("./open-postgres.ts");
    const lite = source.lite && openLiteServers(source.lite, options, setting.log, registry);
    const index = { ...setting, retention, deadline, lite: await lite };
    const opened = await openIndex(source, index, registry).catch(async (error: unknown) => {
      await index.lite?.network.close();
      throw error;
    });
    if (index.lite === undefined) return { ...opened, reload: async () => {} };
    return { ...opened, reload: index.lite.reload, servers: index.lite.servers };
  }
  if (source.kind === "network") return openNetwork(options, source, setting, registry);
  return openChainFolder(source, retention, setting);
}

async function openChainFolder(
  { folder }: ChainOptions,
  retention: number | undefined,
  { identity }: SourceDependencies,
): Promise<OpenReader> {
  const chain = openChain(folder, retention);
  try {
    if (identity !== undefined) checkIdentity(folder, identity, identityOf(folder, chain));
  } catch (error) {
    void chain.close();
    throw error;
  }
  const problem = () => identity && folderProblem(folder, identity);
  const proofs = async () => (await import("@chain-query/lite/answers")).chainProofs(chain);
  return { reader: chain, proofs, wordsOf: () => chainWords, reload: async () => {}, problem };
}

async function openNetwork(
  options: ServeOptions,
  lite: NetworkOptions,
  { log }: SourceDependencies,
  registry: Metrics["registry"],
): Promise<OpenReader> {
  const { liteChainReader, liteProofs } = await import("@chain-query/lite");
  const { costOf, liteWords } = await import("../sources/lite-network.ts");
  const { network, servers, reload } = await openLiteServers(lite, options, log, registry);
  const reader = liteChainReader({ network, retention: options.retention, costOf });
  // A service that is restarted would answer 542 until then. Servers that do not answer must not prevent the start.
  await network.client.waitForHead({ signal: AbortSignal.timeout(connectTimeout) }).catch(() => {});
  const state = { problem: () => network.unready, warning: () => network.warning };
  // Without verified heads, there are no verified signatures.
  const proofs = lite.headFrom === undefined ? async () => liteProofs({ network, costOf }) : undefined;
  return { reader, proofs, wordsOf: liteWords, servers, reload, ...state };
}
