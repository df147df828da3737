import { CommandLineError, listenForInterrupt, type Terminal } from "@chain-query/command-line";
import { openPostgresWriter } from "@chain-query/postgres-store";
import { IndexerMonitor } from "../monitor.ts";
import { createMetrics, type IndexerMetrics, type OperatingServer, serveOperating } from "../operating.ts";
import { defaultLimits, runIndexer } from "../run-indexer.ts";
import { openSource } from "../sources/open-source.ts";
import type { RunCommand } from "./arguments.ts";
import { reportOn } from "./report.ts";

/** Milliseconds between two updates of what the operator sees. */
const UPDATE_INTERVAL = 1_000;

/** Indexes a chain until a signal, and ends after the current commit. */
export async function follow(command: RunCommand, { stdout, stderr }: Terminal): Promise<number> {
  const interrupt = listenForInterrupt();
  const source = await openSource(command.source);
  const monitor = new IndexerMonitor();
  const metrics = createMetrics(monitor);
  const report = reportOn(stderr);
  let server: OperatingServer | undefined;
  const update = (): void => {
    monitor.look(source).then(() => report.show(monitor.state));
  };
  const timer = setInterval(update, UPDATE_INTERVAL);
  try {
    server = await listen(command, metrics, monitor);
    if (server) stdout.write(`${server.url}\n`);
    await runIndexer(
      {
        source,
        openWriter: () => openPostgresWriter({ url: command.postgres }, { leaseSeconds: command.lease }),
        limits: { ...defaultLimits, steps: command.batch },
        leaseInterval: Math.min(5_000, (command.lease * 1000) / 4),
        onEvent: (event) => {
          monitor.record(event);
          metrics.record(event);
          if (event.type !== "wrote") report.show(monitor.state);
        },
      },
      interrupt.signal,
    );
  } finally {
    clearInterval(timer);
    report.clear();
    await server?.close();
    await source.close();
    interrupt.release();
  }
  const { head } = monitor.state;
  report.say(head === undefined ? "ended before the first step" : `ended after step ${head}`);
  return 0;
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
