/** An indexer whose lite server allows fewer queries than the chain needs says so, until the chain is slower. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { formatGlobalConfig, liteChain } from "@chain-query/lite/answers";
import { type LiteBehaviour, refuse, startFaultyLiteServer } from "@chain-query/lite/faults";
import { openChain, openProducer } from "@chain-query/local-chain";
import { copyMadeChain } from "@chain-query/local-chain/testing";
import { migrate, openPostgresWriter } from "@chain-query/postgres-store";
import { SMALL } from "@chain-query/testing/chains";
import { sharedPostgres } from "@chain-query/testing/services";
import { until } from "@chain-query/testing/until";
import { expect, onTestFinished, test } from "vitest";
import { reportOn, stateText } from "../src/command/report.ts";
import { IndexerMonitor } from "../src/monitor.ts";
import { createMetrics } from "../src/observability.ts";
import { runIndexer } from "../src/run-indexer.ts";
import { openSource } from "../src/sources/open-source.ts";
import { defaultLimits } from "../src/step-batches.ts";
import { temporaryFolder } from "./chains.ts";
import { run } from "./processes.ts";

/** The clock of the monitor is so many times faster, so that its twenty seconds are two. */
const FASTER = 10;

/** Refuses blocks above a number, as proxies of lite servers do above a rate. */
function limited(allowed: () => number): LiteBehaviour {
  const refusal = refuse(228, "too many queries");
  let answered = 0;
  return {
    ...refusal,
    answer: (context, next) => {
      if (context.call.name !== "getBlock") return next();
      if (answered >= allowed()) return refusal.answer?.(context, next) ?? next();
      answered++;
      return next();
    },
  };
}

test("an indexer on a lite server with too low a rate reports by how much it falls behind, and the queries that it needs", async () => {
  await using resources = new AsyncDisposableStack();
  const folder = join(temporaryFolder(), "chain");
  await copyMadeChain(folder, SMALL);
  const producer = await openProducer(folder);
  const chain = openChain(folder);
  // The chain is faster until the end of the checks.
  const checked = new AbortController();
  let made = 0;
  // One block for each step, of two or more, however slow the machine is.
  const allowed = () => (checked.signal.aborted ? Number.POSITIVE_INFINITY : made);
  const server = await startFaultyLiteServer({
    ...{ chain: liteChain(chain), key: new Uint8Array(32).fill(7), behaviours: [limited(allowed)] },
  });
  resources.defer(async () => {
    await server.close();
    await chain.close();
    await producer.close();
  });
  const servers = join(temporaryFolder(), "global.config.json");
  writeFileSync(servers, formatGlobalConfig(server.config()));

  const url = await (await sharedPostgres()).createDatabase();
  await migrate({ url });
  const source = openSource({ servers, rate: 40 });
  const monitor = new IndexerMonitor(() => performance.now() * FASTER);
  const metrics = createMetrics(monitor);
  const log: string[] = [];
  const report = reportOn({ isTTY: false, columns: 80, write: (text) => log.push(String(text)) > 0 });
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const state = () => stateText(monitor.state);
  const indexing = runIndexer(
    {
      ...{ source, limits: { ...defaultLimits, steps: 1 } },
      openWriter: () => openPostgresWriter({ url }, { leaseSeconds: 20, state }),
      onEvent: (event) => {
        monitor.record(event);
        metrics.record(event);
      },
    },
    end.signal,
  );
  resources.defer(async () => {
    end.abort();
    await indexing;
    await source.close();
  });

  const sample = async (): Promise<void> => {
    await monitor.sample(source, source.queries());
    report.show(monitor.state);
    await sleep(50);
  };
  const text =
    /falls behind by \d+ steps, \d+ \w+: the chain makes [\d.]+ steps\/s, the index gets [\d.]+; needs \d+ queries\/s, sends \d+ of at most 40:/;
  const isLogged = () => log.some((line) => text.test(line) && line.includes('"level":40'));
  const making = (async () => {
    while (!checked.signal.aborted && !end.signal.aborted) {
      await producer.step();
      made++;
      await sample();
    }
  })();
  const { queries, steps } = await until(async () => {
    const { fallsBehind } = monitor.state;
    return isLogged() && fallsBehind?.queries !== undefined && { ...fallsBehind, queries: fallsBehind.queries };
  });
  expect(steps).toBeGreaterThan(5);
  expect(queries.needed).toBeGreaterThan(queries.sent);
  expect(queries.limit).toBe(40);
  const exposed = await metrics.registry.metrics();
  for (const name of ["falls_behind 1", "behind_steps \\d+", "queries_needed \\d", "queries_limit 40", "queries_per_step \\d"])
    expect(exposed).toMatch(new RegExp(`^chain_query_indexer_${name}`, "m"));
  // The lease names the state when it is renewed.
  await expect.poll(async () => (await run(url, "status")).stdout).toMatch(text);
  const { leases } = JSON.parse((await run(url, "status", "--json")).stdout);
  expect(leases).toMatchObject([{ name: "head", state: { fallsBehind: { queries: { limit: 40 } } } }]);

  // The chain makes no more steps.
  checked.abort();
  await making;
  while (monitor.state.fallsBehind !== undefined) await sample();
  expect(await metrics.registry.metrics()).toMatch(/^chain_query_indexer_falls_behind 0$/m);
});
