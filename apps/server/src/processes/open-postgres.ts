/** Opens the databases of an index, and checks that all of them hold the same chain. */

import { setTimeout as sleep } from "node:timers/promises";
import { slowPart } from "@chain-query/format/async";
import { isEqual } from "@chain-query/format/cells";
import type { ChainReader } from "@chain-query/format/store";
import { gaugesOf } from "@chain-query/lite/metrics";
import {
  type DatabaseEvents,
  type DatabaseSet,
  type DatabaseStatus,
  Databases,
  type IndexedChain,
  PostgresStoreError,
  postgresChainReader,
  type ReadDatabase,
  ServedHead,
  signedForkRemoval,
} from "@chain-query/postgres-store";
import type { Logger } from "pino";
import { Histogram, type Registry } from "prom-client";
import type { WordsOf } from "../decorate.ts";
import { opened, StartError } from "../failure.ts";
import type { PostgresOptions } from "../serve-options.ts";
import type { OpenLiteServers } from "./open-lite-servers.ts";

interface OpenIndex {
  readonly reader: ChainReader;
  readonly wordsOf: WordsOf;
  readonly databases: Databases;
  readonly unreadable: () => string | undefined;
  readonly problem: () => string | undefined;
  readonly warning: () => string | undefined;
}

/** The state that an index needs besides the options. */
interface IndexDependencies {
  readonly log: Logger;
  readonly retention: number | undefined;
  /** Seconds for a request, of which a statement has a fifth. */
  readonly deadline: number;
  /** The lite servers of the network, if it has any. */
  readonly lite?: OpenLiteServers | undefined;
  /** Ends the wait for a database. */
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds in which the primary or a replica has to answer for the first time. */
const defaultStartTimeout = 10_000;
const retryDelay = 200;

/**
 * Reads the genesis of an index, and compares all databases that can be reached. The primary or a replica has to reply within ten seconds:
 * every later connection is checked against its zero state. A replica without the index has as long to receive it from the primary.
 *
 * @throws StartError with a line for the operator; the signal's reason if it aborts.
 */
export async function readIndexedChain(options: PostgresOptions, log: Logger, signal?: AbortSignal): Promise<IndexedChain> {
  const databases = opened(() => new Databases(setOf(options)));
  const { all, replicas } = databases;
  const findAll = () => Promise.all(all.map((one) => chainIfReachable(one, replicas.includes(one))));
  try {
    const until = performance.now() + (options.startTimeout ?? defaultStartTimeout);
    for (let hasWarned = false; ; hasWarned = true) {
      const found = await findAll();
      const first = found.find(({ chain }) => chain !== undefined);
      const lack = found.find((one) => one.lack !== undefined)?.lack;
      if (first?.chain !== undefined && lack === undefined) {
        for (const { name, chain, reason } of found) {
          // Its chain is compared when it can be reached.
          if (chain === undefined) log.warn({ database: name, reason }, "database cannot be reached at the start");
          else if (!sameChain(chain, first.chain))
            throw new StartError(`--postgres: ${name} must hold the chain of the ${first.name}, got another network`);
        }
        return first.chain;
      }
      const reason = found.flatMap((one) => one.reason ?? []).join("; ");
      if (performance.now() >= until) throw lack ?? new StartError(reason, { isRetryable: true });
      const missing = first
        ? "a replica does not have the index yet, waiting for it"
        : "no database can be reached yet, trying again";
      if (!hasWarned) log.warn({ reason }, missing);
      await sleep(retryDelay);
      signal?.throwIfAborted();
    }
  } catch (error) {
    throw error instanceof PostgresStoreError ? new StartError(error.message, { cause: error }) : error;
  } finally {
    await databases.close();
  }
}

interface FoundChain {
  readonly name: string;
  readonly chain?: IndexedChain;
  /** Why the database cannot be reached, or does not have the index. */
  readonly reason?: string;
  /** The error of a replica without the index. It may be behind, or misconfigured. */
  readonly lack?: PostgresStoreError;
}

/** Other errors, such as a wrong password, are mistakes that waiting does not correct. */
async function chainIfReachable({ connection: { name }, reader }: ReadDatabase, isReplica: boolean): Promise<FoundChain> {
  try {
    return { name, chain: await reader.chain() };
  } catch (error) {
    if (!(error instanceof PostgresStoreError)) throw error;
    if (error.isRetryable) return { name, reason: error.message };
    if (error.kind === "schema" && isReplica) return { name, reason: error.message, lack: error };
    throw error;
  }
}

/** Opens the source. @throws StartError with a line for the operator. */
export async function openIndex(options: PostgresOptions, setting: IndexDependencies, registry: Registry): Promise<OpenIndex> {
  const { log, retention, deadline, lite, signal } = setting;
  const chain = await readIndexedChain(options, log, signal);
  if (lite && !isEqual(lite.network.client.zeroState.rootHash, chain.masterchain.rootHash))
    throw new StartError("--lite-servers: validator.zero_state: must be that of the index, got another network");
  const onRead = addDatabaseMetrics(registry, () => databases.status);
  const set = setOf(options, deadline * 200);
  const events = { onChange: logChange(log), onAnswering: logAnswering(log), onRead };
  const databases = new Databases({ ...set, zeroState: chain.masterchain.rootHash }, events);
  const served = new ServedHead(databases);
  const logProblem = problemLogger(log);
  const forks = signedForks(databases);
  // An index of one of the chains says nothing about which one is right.
  const signedFork = () => forks.problem() ?? lite?.network.signedFork;
  const problem = () => signedFork() ?? served.problem;
  let isStarted = false;
  await databases.start(async () => {
    served.polled();
    await forks.poll();
    // During the first poll, some databases have not replied yet.
    if (isStarted) logProblem(problem());
  });
  isStarted = true;
  const { earlierHistory, liteWords } = lite ? await import("../sources/lite-network.ts") : {};
  const earlier = lite && earlierHistory?.(lite.network, retention ?? chain.retentionSeconds);
  const earlierWords = liteWords ?? postgresWords;
  const close = async (): Promise<void> => {
    await lite?.network.close();
    await databases.close();
  };
  const reader = postgresChainReader({ databases, served, chain, retention, earlier, close });
  return {
    reader,
    wordsOf: (error, signal) => (error instanceof PostgresStoreError ? postgresWords : earlierWords)(error, signal),
    unreadable: signedFork,
    databases,
    problem,
    warning: () => {
      const warnings = [served.warning, lite?.network.unready, lite?.network.warning];
      return warnings.filter((one) => one !== undefined).join("; ") || undefined;
    },
  };
}

const postgresWords: WordsOf = (error, signal) => ({
  slow:
    error instanceof PostgresStoreError && error.kind === "behind"
      ? "the databases of this service do not have the newest block yet"
      : `${slowPart(signal)} did not answer in time`,
  unavailable: "the database of this service cannot be read",
});

/** Milliseconds between two looks at the record of two signed chains. */
const forkInterval = 1_000;

/** Watches whether an indexer has recorded that validators have signed two chains. */
function signedForks(databases: Databases) {
  let [record, nextAt]: [string | undefined, number] = [undefined, Number.NEGATIVE_INFINITY];
  return {
    problem: (): string | undefined =>
      record && `validators have signed two chains: ${record}; when you know which chain is right, ${signedForkRemoval}`,
    async poll(): Promise<void> {
      if (performance.now() < nextAt) return;
      nextAt = performance.now() + forkInterval;
      try {
        record = await databases.readAny((reader) => reader.signedFork());
      } catch {
        // The problem of the databases is reported. What was read stays.
        nextAt = Number.NEGATIVE_INFINITY;
      }
    },
  };
}

function setOf({ primary, replicas }: PostgresOptions, statementTimeout = 1_000): DatabaseSet {
  const at = (url: string) => ({ url, statementTimeout });
  return { primary: at(primary), replicas: replicas.map(at) };
}

function sameChain({ masterchain }: IndexedChain, other: IndexedChain): boolean {
  return isEqual(masterchain.rootHash, other.masterchain.rootHash);
}

function logChange(log: Logger): NonNullable<DatabaseEvents["onChange"]> {
  return ({ name, state, seqno, lag }, reason) => {
    const details = { database: name, seqno, ...(reason !== undefined && { reason }) };
    if (state === "ready") log.info(details, "database is read from");
    if (state === "behind") log.warn({ ...details, lag }, "database lacks new blocks and is left out until it has them");
    if (state === "failing") log.error(details, "database cannot be read, will be tried again");
    if (state === "other-chain") log.error(details, "database holds another network and is left out");
  };
}

/** Reads fail from the first line to the second one, also in the two seconds in which the database stays in service. */
function logAnswering(log: Logger): NonNullable<DatabaseEvents["onAnswering"]> {
  return (database, reason) => {
    if (reason === undefined) log.info({ database }, "database has recovered");
    else log.warn({ database, reason }, "database is unavailable");
  };
}

/** Logs why the service is not ready, once. */
function problemLogger(log: Logger): (problem: string | undefined) => void {
  let last: string | undefined;
  return (problem) => {
    if (problem === last) return;
    last = problem;
    if (problem === undefined) log.info("the service is ready again");
    else log.error({ reason: problem }, "the service is not ready");
  };
}

const databaseBuckets = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];

/** Adds metrics of databases, which are named by their role, such as `replica 1`. Returns the function that counts a read. */
export function addDatabaseMetrics(
  registry: Registry,
  databases: () => readonly DatabaseStatus[],
): NonNullable<DatabaseEvents["onRead"]> {
  const gauge = gaugesOf(registry, "chain_query_database", "database", databases);
  gauge("in_service", "Whether a database is read from", ({ state }) => Number(state === "ready"));
  gauge("head_seqno", "Newest masterchain block of a database", ({ seqno }) => seqno);
  gauge("lag_seconds", "Time for which a database lacks a block of the primary", ({ lag }) => lag);
  gauge("in_flight", "Reads that wait for a database", ({ inFlight }) => inFlight);
  const reads = new Histogram({
    name: "chain_query_database_read_duration_seconds",
    help: "Time of a read from a database, by database and whether it failed",
    labelNames: ["database", "failed"],
    buckets: databaseBuckets,
    registers: [registry],
  });
  return (database, seconds, hasFailed) => reads.observe({ database, failed: String(hasFailed) }, seconds);
}
