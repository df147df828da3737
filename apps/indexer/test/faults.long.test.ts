/** Indexers, and drops of history, that are killed or stopped at points of their transactions, beside steps in which shards split and merge. */
import { type MadeChainOptions, madeChain } from "@chain-query/local-chain/testing";
import { readIndexStatus, verifyIndex } from "@chain-query/postgres-store";
import { FROZEN, RESHARDED } from "@chain-query/testing/chains";
import { inDatabase, sharedPostgres } from "@chain-query/testing/services";
import { expect, test } from "vitest";
import { eventsOf, partitionedIndex } from "./chains.ts";
import { alone, heldIndex, hold } from "./holds.ts";
import { digestOf, headOf, indexWhole, requireRecordsOf } from "./indexes.ts";
import { type IndexerProcess, run, startProcess } from "./processes.ts";

/** A chain, the digest of its index, and an empty index in which `hold` works. */
async function plan(options: MadeChainOptions) {
  const [server, chain] = await Promise.all([sharedPostgres(), madeChain(options)]);
  const [whole, url] = [await server.createDatabase(heldIndex), await server.createDatabase(heldIndex)];
  await indexWhole(whole, chain);
  const expectWhole = async (): Promise<void> => {
    await verifyIndex({ url });
    expect(await digestOf(url)).toBe(await digestOf(whole));
    await requireRecordsOf(chain, url);
  };
  return { chain, url, expectWhole };
}

/** The lease of a killed process would expire after 20 seconds. */
const endLease = (url: string) => inDatabase(url, (sql) => sql`DELETE FROM indexer_lease`);

/** Expects that there are no rows above the head, and that the head counts its transactions. */
async function expectWholeHead(url: string): Promise<number> {
  const { head = 0, transactionCount } = await readIndexStatus({ url });
  const [counted] = await inDatabase(
    url,
    (sql) => sql`SELECT (SELECT count(*) FROM transactions WHERE mc_seqno > ${head})
      + (SELECT count(*) FROM account_versions WHERE mc_seqno > ${head})
      + (SELECT count(*) FROM blocks WHERE mc_seqno > ${head}) AS above, (SELECT count(*) FROM transactions) AS written`,
  );
  expect(counted, `head ${head}`).toEqual({ above: "0", written: `${transactionCount}` });
  return head;
}

test("a killed indexer leaves complete steps, and the next one continues", async () => {
  const { chain, url, expectWhole } = await plan(RESHARDED);
  const { splits, merges } = await eventsOf(chain);
  const middle = (steps: readonly number[]): number => steps[Math.floor(steps.length / 2)] ?? expect.unreachable();
  const points = [middle(splits), middle(merges)]
    .toSorted((one, other) => one - other)
    .flatMap((step) => [["rows", step] as const, ["head", step + 1] as const]);
  const args = ["run", "--from-chain", chain, "--batch", "2", "--partition-steps", "7"];
  for (const [point, step] of points) {
    const held = await hold(url, point, step);
    const indexer = startProcess(url, ...args);
    await indexer.until(held.isReached);
    await indexer.end("SIGKILL");
    await held.release();
    await alone(url);
    const head = await expectWholeHead(url);
    expect([step - 2, step - 1]).toContain(head);
    await endLease(url);
  }
  const last = startProcess(url, ...args);
  await last.reached(RESHARDED.steps);
  await last.end("SIGTERM");
  await expectWhole();
});

test("a standby takes over from a stopped indexer, which then does not write", async () => {
  const { chain, url, expectWhole } = await plan(FROZEN);
  const startOne = (): IndexerProcess => startProcess(url, "run", "--from-chain", chain, "--batch", "1", "--lease", "4s");
  const at = 11;
  await using held = await hold(url, "head", at);
  const first = startOne();
  await first.until(held.isReached);
  const second = startOne();
  await second.until(() => second.phases.includes("standby"));
  first.signal("SIGSTOP");
  await held.release();
  await second.reached(at + 1);
  first.signal("SIGCONT");
  await first.until(() => first.phases.includes("standby"));
  await second.reached(FROZEN.steps);
  // The first one then takes the lease at once.
  await second.end("SIGTERM");
  await first.until(() => first.phases.at(-1) === "following");
  await first.end("SIGTERM");
  await expectWhole();
});

test("a drop that is killed at any partition leaves a complete index", async () => {
  // Partitions end right before and right after steps in which shards split or merge.
  const every = 3;
  const url = await partitionedIndex(RESHARDED, every);
  for (const next of [3, 6, 9]) {
    const held = await hold(url, "history", next);
    const dropping = startProcess(url, "drop", "--before", "10");
    await dropping.until(held.isReached);
    await dropping.end("SIGKILL");
    await held.release();
    await alone(url);
    const { firstSeqno, partitions } = await readIndexStatus({ url });
    expect([firstSeqno, partitions[0]?.from]).toEqual([next - every, next - every]);
    expect(await verifyIndex({ url })).toMatchObject({ firstSeqno, steps: RESHARDED.steps });
    await endLease(url);
  }
  expect((await run(url, "drop", "--before", "10")).code).toBe(0);
  expect(await verifyIndex({ url })).toMatchObject({ firstSeqno: 9 });
  expect(await headOf(url)).toBe(RESHARDED.steps);
});
