/** Three instances behind HAProxy over an index that follows a chain: conformance, reads of the head with a lagging replica, faults. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validateService } from "@chain-query/conformance";
import { createChain, openProducer } from "@chain-query/local-chain";
import { startDeployment } from "./scale-out/deployment.ts";
import { type HeadReads, readHeads, readHeadsDuring } from "./scale-out/head-reads.ts";

const reads = 20_000;
const firstBlocks = 60;

const folder = mkdtempSync(join(tmpdir(), "server-scale-out-"));
try {
  const chain = join(folder, "chain");
  await createChain(chain, { seed: 1, accounts: 200, startTime: Math.floor(Date.now() / 1000) - firstBlocks * 5 });
  const producer = await openProducer(chain);
  for (let step = 0; step < firstBlocks; step++) await producer.step();
  await producer.close();
  const deployment = await startDeployment(chain);
  if ("reason" in deployment) throw new Error(deployment.reason);
  await using running = deployment;
  const { url, headers, primary, standby, instances } = running;
  let faults = 0;

  const print = (what: string, { count, first, last, lower, failed, longestGap }: HeadReads, seconds: number): void => {
    faults += lower.length;
    const failures = Object.entries(Object.groupBy(failed, (text) => text.slice(0, 3)));
    const statuses = failures.map(([status, texts = []]) => `${texts.length} × ${status}`).join(", ") || "none";
    console.log(`${what}: ${count} reads, ${Math.round(count / seconds)}/s, heads ${first} to ${last}, lower: ${lower.length}`);
    console.log(`  failed: ${statuses}; longest time without a response: ${Math.round(longestGap)} ms`);
  };
  const measure = async (what: string, task: () => Promise<HeadReads>): Promise<void> => {
    const started = performance.now();
    const result = await task();
    print(what, result, (performance.now() - started) / 1000);
  };

  const report = await validateService({
    baseUrl: url,
    profile: "live",
    apiKey: headers["x-api-key"],
    requestsPerSecond: 0,
    checkLimits: true,
    seed: 1,
  });
  faults += report.totals.failed;
  console.log(
    `conformance: ${report.totals.passed} passed, ${report.totals.failed} failed, ${report.totals.notApplicable} not applicable`,
  );

  await standby.pauseReplay();
  await measure("replica held back", () => readHeads(url, headers, (count) => count >= reads));
  await standby.resumeReplay();
  await measure("replica caught up", () => readHeads(url, headers, (count) => count >= reads / 4));
  const restarts = async (how: string): Promise<void> => {
    for (const mode of ["fast", "immediate"] as const) {
      let unavailable = 0;
      await measure(`PostgreSQL restarted (${mode}, ${how})`, () =>
        readHeadsDuring(url, headers, async () => {
          const started = performance.now();
          await primary.restart(mode);
          unavailable = performance.now() - started;
        }),
      );
      console.log(`  PostgreSQL itself was unavailable for ${Math.round(unavailable)} ms`);
    }
  };
  await restarts("with a replica");
  await standby.kill();
  await restarts("without");
  await standby.start();
  await measure("an instance added", () => readHeadsDuring(url, headers, async () => void (await running.add())));
  const [removed, killed] = instances;
  if (removed === undefined || killed === undefined) throw new Error("no instances");
  await measure("an instance removed", () =>
    readHeadsDuring(url, headers, async () => {
      await running.remove(removed);
      await removed.stop();
    }),
  );
  await measure("an instance killed", () => readHeadsDuring(url, headers, () => killed[Symbol.asyncDispose]()));
  process.exitCode = faults === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
