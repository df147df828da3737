import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import {
  CommandLineError,
  type Interrupt,
  listenForInterrupt,
  type SignalTarget,
  type Terminal,
} from "@chain-query/command-line";
import type { StepGenesis, StepSource } from "@chain-query/format/store";
import {
  openPostgresExtension,
  openPostgresWriter,
  openSignedFork,
  PostgresStoreError,
  partitionSteps,
} from "@chain-query/postgres-store";
import type { Registry } from "prom-client";
import { IndexerMonitor, type IndexerState } from "../monitor.ts";
import { createMetrics, type IndexerMetrics, type ObservabilityServer, serveObservability } from "../observability.ts";
import { type IndexerEvent, runExtension, runIndexer } from "../run-indexer.ts";
import { openSource, type SourceOptions } from "../sources/open-source.ts";
import { defaultLimits } from "../step-batches.ts";
import type { BackfillCommand, RunCommand } from "./arguments.ts";
import { findBegin } from "./begin-late.ts";
import { withUsageErrors } from "./database.ts";
import { describeExtension, nothingToDo, type Report, reportOn, stateText } from "./report.ts";

/** Milliseconds between two updates of the status line or log. */
const UPDATE_INTERVAL = 1_000;
/** Milliseconds for the current commit after a signal. */
const LONGEST_END = 10_000;
/** Milliseconds between two attempts to get the lease. */
const LONGEST_LEASE_INTERVAL = 5_000;
/** Attempts to make a partition take at most this share of the time. */
const SHARE_OF_ATTEMPTS = 0.1;

/** Constant for the process, which takes its own lease again after a lost connection. Process ids in containers are not unique. */
const holder = `${hostname()} ${process.pid} ${randomUUID().slice(0, 8)}`;

/** Indexes a chain until a signal. */
export async function follow(command: RunCommand, terminal: Terminal & SignalTarget): Promise<number> {
  const { postgres, lease, batch, start, partitionSteps: every } = command;
  const monitor = new IndexerMonitor();
  const metrics = createMetrics(monitor);
  const server = await listen(command, metrics, monitor);
  try {
    if (server) terminal.stdout.write(`${server.url}\n`);
    const task = async ({ source, onEvent, signal, say }: TaskContext): Promise<void> => {
      const options = {
        beforeSteps: partitionsAhead(postgres, every, say),
        ...{ source, limits: { ...defaultLimits, steps: batch } },
        ...(start !== undefined && { readTips: async () => (await findBegin(source, "--start", start)).tips }),
        leaseInterval: Math.min(LONGEST_LEASE_INTERVAL, lease * 250),
        openWriter: (genesis: StepGenesis) =>
          withUsageErrors(() => openPostgresWriter({ url: postgres }, { holder, leaseSeconds: lease, genesis, state })),
        onEvent: (event: IndexerEvent) => {
          metrics.record(event);
          onEvent(event);
        },
      };
      await runIndexer(options, signal);
    };
    const state = (): string => stateText(monitor.state);
    await runTask(command, monitor, terminal, task, { registry: metrics.registry });
    return 0;
  } finally {
    await server?.close();
  }
}

/** Adds steps before the first one of an index, the newest first. */
export async function backfill(command: BackfillCommand, terminal: Terminal & SignalTarget): Promise<number> {
  const { postgres, batch, backTo } = command;
  let [begin, first, to]: (number | undefined)[] = [];
  return runTask(
    command,
    new IndexerMonitor(),
    terminal,
    async ({ source, onEvent, signal }) => {
      const last = Math.max(1, (await findBegin(source, "--back-to", backTo)).first);
      to = last;
      // The monitor counts the steps that are added.
      const onAdded = (event: IndexerEvent): void => {
        if (event.type !== "waits") {
          begin ??= event.head;
          first = event.head;
        }
        onEvent(event.type === "waits" ? event : { ...event, head: (begin ?? 0) - event.head });
      };
      const openExtension = (genesis: StepGenesis) =>
        withUsageErrors(() => openPostgresExtension({ url: postgres }, { holder, genesis }));
      await runExtension({ source, openExtension, to: last, batch, onEvent: onAdded }, signal);
    },
    {
      goal: { newest: async () => Math.max(0, (begin ?? 0) - (to ?? 0)) },
      text: (state) => describeExtension(state, begin),
      ended: () => {
        if (first === undefined) return "ended before the first step";
        if (begin !== undefined && to !== undefined && begin <= to && first === begin) return nothingToDo(begin);
        return first === 0 ? "the index has the whole chain" : `the index begins at step ${first}`;
      },
    },
  );
}

/**
 * Returns a function that makes partitions ahead of the written steps. While the tables are in use, steps go to the open partition, which may
 * become larger.
 */
function partitionsAhead(
  postgres: string,
  every: number | undefined,
  say: (text: string) => void,
): (last: number) => Promise<void> {
  let [next, nextAttempt, isLate] = [0, 0, false];
  return async (last) => {
    const start = performance.now();
    if (every === undefined || last < next || start < nextAttempt) return;
    try {
      const plan = { every, last, lockTimeout: 0 };
      const { openFrom, isFull } = await withUsageErrors(() => partitionSteps({ url: postgres }, plan));
      if (isFull) say(openPartitionGrows(openFrom));
      next = isFull ? last + every : openFrom;
      isLate = false;
    } catch (cause) {
      if (!(cause instanceof PostgresStoreError && cause.kind === "slow")) throw cause;
      nextAttempt = start + (performance.now() - start) / SHARE_OF_ATTEMPTS;
      if (!isLate) say(`the next partition is made later: ${cause.message}`);
      isLate = true;
    }
  };
}

function openPartitionGrows(openFrom: number): string {
  return `the newest partition, from step ${openFrom} on, grows: the number of partitions is at its maximum, drop old ones`;
}

/** The source of an indexing task, and its reports. */
interface TaskContext {
  readonly source: StepSource;
  readonly onEvent: (event: IndexerEvent) => void;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}

interface TaskOptions {
  readonly goal?: Pick<StepSource, "newest">;
  readonly registry?: Registry;
  /** Describes a state; default: the step of the chain and its newest one. */
  readonly text?: (state: IndexerState) => string;
  readonly ended?: () => string;
}

/**
 * Opens the source, runs a task, and reports its progress. Returns the exit code.
 *
 * @param goal - Has the step at which the task ends; default: the newest step of the source.
 * @param registry - Gets the metrics of lite servers.
 * @param ended - The last line; default: it names the last written step.
 */
async function runTask(
  { source: options, postgres }: { readonly source: SourceOptions; readonly postgres: string },
  monitor: IndexerMonitor,
  terminal: Terminal & SignalTarget,
  task: (context: TaskContext) => Promise<void>,
  { goal, registry, text, ended }: TaskOptions,
): Promise<number> {
  const interrupt = listenForInterrupt(terminal);
  const report = reportOn(terminal.stderr);
  const signedForks = "chain" in options ? undefined : openSignedFork({ url: postgres });
  // A database that can never be used is reported before lite servers are asked.
  const permanent = (error: unknown) => !(error instanceof PostgresStoreError && error.isRetryable);
  await withUsageErrors(async () => {
    await signedForks?.read().catch((error: unknown) => {
      if (permanent(error)) throw error;
    });
  });
  const source = openSource(options, { onLine: report.line, progress: report.progress, registry, signedForks });
  monitor.warning = source.warning;
  const show = (): void => report.show(monitor.state, text?.(monitor.state));
  let isSampling = false;
  const update = async (): Promise<void> => {
    show();
    // A lite server may respond slowly.
    if (isSampling) return;
    isSampling = true;
    await monitor.sample(goal ?? source, source.queries());
    isSampling = false;
  };
  const timer = setInterval(update, UPDATE_INTERVAL);
  const deadline = endAfterSignal(interrupt, report);
  try {
    void update();
    const onEvent = (event: IndexerEvent): void => {
      monitor.record(event);
      if (event.type !== "wrote") show();
    };
    await task({ source, onEvent, signal: interrupt.signal, say: report.say });
    const { head } = monitor.state;
    report.say(ended?.() ?? (head === undefined ? "ended before the first step" : `ended after step ${head}`));
    return interrupt.exitCode ?? 0;
  } finally {
    clearInterval(timer);
    report.clear();
    await source.close();
    await signedForks?.close();
    deadline.clear();
    interrupt.release();
  }
}

/** Ends the process if the database does not respond. PostgreSQL rolls the open transaction back. */
function endAfterSignal({ signal }: Interrupt, report: Report): { clear(): void } {
  let deadline: NodeJS.Timeout | undefined;
  signal.addEventListener("abort", () => {
    const end = (): void => {
      report.say("ended without a response of the database");
      process.exit(1);
    };
    deadline = setTimeout(end, LONGEST_END).unref();
  });
  return { clear: () => clearTimeout(deadline) };
}

async function listen(
  { adminAddress }: RunCommand,
  metrics: IndexerMetrics,
  monitor: IndexerMonitor,
): Promise<ObservabilityServer | undefined> {
  if (adminAddress === undefined) return undefined;
  try {
    return await serveObservability(metrics, monitor, adminAddress);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandLineError([`--admin-address: cannot listen: ${reason}`]);
  }
}
