import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { StepSource } from "@chain-query/chain-store";
import {
  CommandLineError,
  type Interrupt,
  listenForInterrupt,
  type SignalTarget,
  type Terminal,
} from "@chain-query/command-line";
import { openPostgresBackfill, openPostgresWriter } from "@chain-query/postgres-store";
import { IndexerMonitor } from "../monitor.ts";
import { createMetrics, type IndexerMetrics, type OperatingServer, serveOperating } from "../operating.ts";
import { type IndexerEvent, runBackfill, runIndexer } from "../run-indexer.ts";
import { openSource, type SourceOptions } from "../sources/open-source.ts";
import { defaultLimits } from "../step-batches.ts";
import type { BackfillCommand, RunCommand } from "./arguments.ts";
import { opened } from "./opened.ts";
import { makePartitions, newestGrows, partitionsAhead } from "./partitions.ts";
import { type Report, reportOn } from "./report.ts";

/** Milliseconds between two updates of what the operator sees. */
const UPDATE_INTERVAL = 1_000;
/** Milliseconds that a commit has after a signal. */
const LONGEST_END = 10_000;
/** Milliseconds between two attempts to get the lease. */
const LONGEST_LEASE_INTERVAL = 5_000;

/** After a lost connection, the process takes the lease that it had. The numbers of processes in containers are not unique. */
const holder = `${hostname()} ${process.pid} ${randomUUID().slice(0, 8)}`;

/** Indexes a chain until a signal. */
export async function follow(command: RunCommand, terminal: Terminal & SignalTarget): Promise<number> {
  const { postgres, lease, batch, publish, partitionSteps } = command;
  const monitor = new IndexerMonitor();
  const metrics = createMetrics(monitor);
  const server = await listen(command, metrics, monitor);
  try {
    if (server) terminal.stdout.write(`${server.url}\n`);
    await watched(command.source, monitor, terminal, async ({ source, onEvent, signal, say }) => {
      const options = {
        beforeSteps: partitionsAhead(postgres, partitionSteps, say),
        ...{ source, limits: { ...defaultLimits, steps: batch } },
        leaseInterval: Math.min(LONGEST_LEASE_INTERVAL, lease * 250),
        openWriter: () => opened(() => openPostgresWriter({ url: postgres }, { holder, leaseSeconds: lease, publish })),
        onEvent: (event: IndexerEvent) => {
          metrics.record(event);
          onEvent(event);
        },
      };
      await runIndexer(options, signal);
    });
    return 0;
  } finally {
    await server?.close();
  }
}

/** Writes a range of steps. */
export async function backfill(command: BackfillCommand, terminal: Terminal & SignalTarget): Promise<number> {
  const { postgres, batch, from, to, publish, partitionSteps } = command;
  const range = { newest: async () => to };
  return watched(
    command.source,
    new IndexerMonitor(),
    terminal,
    async ({ source, onEvent, signal, say }) => {
      const beforeSteps = async (last: number) => {
        if (partitionSteps === undefined) return;
        // Not later: a partition that has a range begun is not closed below its end.
        const { openFrom, isFull } = await makePartitions(postgres, { every: partitionSteps, last });
        if (isFull) say(newestGrows(openFrom));
      };
      const openBackfill = async () => {
        const newest = await source.newest();
        if (newest < to) throw new CommandLineError([`--to: expected a step that the chain has, at most ${newest}, got ${to}`]);
        return opened(() => openPostgresBackfill({ url: postgres }, { from, to }, { holder, publish }));
      };
      await runBackfill({ source, limits: { ...defaultLimits, steps: batch }, openBackfill, beforeSteps, onEvent }, signal);
    },
    range,
  );
}

/** What an indexing task gets, and reports to. */
interface Watched {
  readonly source: StepSource;
  readonly onEvent: (event: IndexerEvent) => void;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}

/**
 * Opens the source, and shows what a task does until it ends. Returns the exit code: that of the signal if one ended a task with an end.
 *
 * @param ahead - What the index is compared with, if that is not the source.
 */
async function watched(
  options: SourceOptions,
  monitor: IndexerMonitor,
  terminal: Terminal & SignalTarget,
  task: (watched: Watched) => Promise<void>,
  ahead?: Pick<StepSource, "newest">,
): Promise<number> {
  const interrupt = listenForInterrupt(terminal);
  const report = reportOn(terminal.stderr);
  const source = openSource(options);
  let isLooking = false;
  const update = async (): Promise<void> => {
    report.show(monitor.state);
    // Lite servers may take long.
    if (isLooking) return;
    isLooking = true;
    await monitor.look(ahead ?? source);
    isLooking = false;
  };
  const timer = setInterval(update, UPDATE_INTERVAL);
  const deadline = endAfterSignal(interrupt, report);
  try {
    void update();
    const onEvent = (event: IndexerEvent): void => {
      monitor.record(event);
      if (event.type !== "wrote") report.show(monitor.state);
      if (event.type === "joined")
        report.say(`the indexer has joined the steps to ${event.head}, and writes the rest of the range`);
    };
    await task({ source, onEvent, signal: interrupt.signal, say: report.say });
    const { head } = monitor.state;
    report.say(head === undefined ? "ended before the first step" : `ended after step ${head}`);
    return interrupt.exitCode ?? 0;
  } finally {
    clearInterval(timer);
    report.clear();
    await source.close();
    deadline.clear();
    interrupt.release();
  }
}

/** Ends the process if the database does not answer. It rolls back what is not committed. */
function endAfterSignal({ signal }: Interrupt, report: Report): { clear(): void } {
  let deadline: NodeJS.Timeout | undefined;
  signal.addEventListener("abort", () => {
    const end = (): void => {
      report.say("ended without an answer of the database");
      process.exit(1);
    };
    deadline = setTimeout(end, LONGEST_END).unref();
  });
  return { clear: () => clearTimeout(deadline) };
}

async function listen(
  { metricsPort, metricsHost }: RunCommand,
  metrics: IndexerMetrics,
  monitor: IndexerMonitor,
): Promise<OperatingServer | undefined> {
  if (metricsPort === undefined) return undefined;
  try {
    return await serveOperating(metrics, monitor, { host: metricsHost, port: metricsPort });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandLineError([`--metrics-port: cannot listen: ${reason}`]);
  }
}
