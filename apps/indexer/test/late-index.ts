/** `run --start` and `backfill --back-to`: an index that begins late, on lite servers that have deleted old blocks. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatGlobalConfig, liteChain } from "@chain-query/lite/answers";
import { type LiteBehaviour, type PrunedHistory, prune, startFaultyLiteServer } from "@chain-query/lite/faults";
import { chainSteps, openChain } from "@chain-query/local-chain";
import { madeChain } from "@chain-query/local-chain/testing";
import { readIndexStatus, verifyIndex } from "@chain-query/postgres-store";
import { SMALL } from "@chain-query/testing/chains";
import { inDatabase, type PostgresDatabases, sharedPostgres } from "@chain-query/testing/services";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { heldIndex, hold } from "../fuzz/holds.ts";
import { temporaryFolder } from "./chains.ts";
import { run, start, startProcess } from "./processes.ts";

const FIRST = 6;
/** The first step of servers that keep states for a shorter time. */
const FIRST_OF_STATES = 9;

/** Defines the tests, in full length or one for each promise. */
export function testLateIndex(length: "short" | "long"): void {
  const isLong = length === "long";
  const resources = new AsyncDisposableStack();
  let server: PostgresDatabases;
  let folder: string;
  let pruned: Awaited<ReturnType<typeof startFaultyLiteServer>>;
  let forgetful: Awaited<ReturnType<typeof startFaultyLiteServer>>;
  let whole: Awaited<ReturnType<typeof startFaultyLiteServer>>;

  beforeAll(async () => {
    server = await sharedPostgres();
    folder = await madeChain(SMALL);
    const chain = openChain(folder);
    resources.defer(() => chain.close());
    const source = chainSteps(folder);
    const { endLt, time: endTime } = (await source.tips(FIRST - 2))[0] ?? expect.unreachable();
    await source.close();
    // An index at step 6 needs the blocks and states of step 5.
    const history: PrunedHistory = { firstSeqno: FIRST - 1, endLt, endTime };
    const serve = async (key: number, ...behaviours: LiteBehaviour[]) => {
      const one = await startFaultyLiteServer({ chain: liteChain(chain), key: new Uint8Array(32).fill(key), behaviours });
      resources.defer(() => one.close());
      return one;
    };
    pruned = await serve(9, prune(history));
    forgetful = await serve(7, prune({ ...history, firstState: FIRST_OF_STATES - 1 }));
    whole = await serve(8);
  });
  afterAll(() => resources.disposeAsync());

  /** The arguments of lite servers. */
  function lite({ archival = false, servers = pruned } = {}): string[] {
    const files = [temporaryFolder(), temporaryFolder()].map((one) => join(one, "global.config.json"));
    const [recent = "", old = ""] = files;
    writeFileSync(recent, formatGlobalConfig(servers.config()));
    writeFileSync(old, formatGlobalConfig(whole.config()));
    return ["--from-lite-servers", recent, "--lite-rate", "10000", ...(archival ? ["--lite-archival", old] : [])];
  }

  /** The rows of steps from one on, as one hash. */
  function rowsFrom(url: string, first: number): Promise<unknown> {
    return inDatabase(url, async (sql) => [
      await sql`SELECT md5(string_agg(account || record, '' ORDER BY account, lt)) FROM transactions WHERE mc_seqno >= ${first}`,
      await sql`SELECT md5(string_agg(account || record, '' ORDER BY account, mc_seqno)) FROM account_versions WHERE mc_seqno >= ${first}`,
      await sql`SELECT md5(string_agg(record, '' ORDER BY workchain, shard, seqno)) FROM blocks WHERE mc_seqno >= ${first}`,
    ]);
  }

  /** The states before the first changes of accounts. */
  async function firstStates(url: string): Promise<unknown[]> {
    return inDatabase(url, async (sql) => [
      ...(await sql`SELECT account, record FROM account_base WHERE mc_seqno = -2 ORDER BY account`),
    ]);
  }

  async function wholeIndex(): Promise<string> {
    const url = await server.createDatabase(heldIndex);
    const indexer = start(url, "run", "--from-chain", folder);
    await indexer.reached(SMALL.steps);
    await indexer.end("SIGINT");
    return url;
  }

  async function lateIndex(source: readonly string[] = lite()): Promise<string> {
    const url = await server.createDatabase(heldIndex);
    const indexer = start(url, "run", ...source, "--start", `${FIRST}`);
    await indexer.reached(SMALL.steps);
    expect((await indexer.end("SIGINT")).code).toBe(0);
    return url;
  }

  describe("run --start", () => {
    test("begins at a step, and writes the same rows from there on as an index of the whole chain", async () => {
      const url = await lateIndex();
      expect(await rowsFrom(url, 0)).toEqual(await rowsFrom(await wholeIndex(), FIRST));
      expect(await verifyIndex({ url })).toMatchObject({ firstSeqno: FIRST, steps: SMALL.steps - FIRST + 1 });
      // The states before the first changes of accounts, from lite servers as from the folder.
      const states = await firstStates(url);
      expect(states.length).toBeGreaterThan(10);
      expect(states).toEqual(await firstStates(await lateIndex(["--from-chain", folder])));
      // An index that has begun continues.
      const again = start(url, "run", ...lite(), "--start", "newest");
      await again.until(() => again.phases.at(-1) === "following");
      await again.end("SIGINT");
      const [flag = "", file = ""] = lite();
      const { stdout } = await run(url, "status", flag, file);
      expect(stdout).toContain(`history  from step ${FIRST} on; the index begins there`);
      expect(stdout).toMatch(new RegExp(`^servers\n {9}[0-9a-f]{8}: blocks and states from step ${FIRST - 1} on, made `, "m"));
    });

    if (isLong) {
      test.each([
        ["newest", SMALL.steps],
        ["1s", SMALL.steps],
      ])("begins at %s", async (given, first) => {
        const url = await server.createDatabase(heldIndex);
        const indexer = start(url, "run", ...lite(), "--start", given);
        await indexer.reached(SMALL.steps);
        await indexer.end("SIGINT");
        expect((await readIndexStatus({ url })).firstSeqno).toBe(first);
      });
    }

    const refused: [string, () => typeof pruned, string, number][] = [
      ["a step whose blocks", () => pruned, "3", FIRST],
      ["a time whose blocks", () => pruned, "1d", FIRST],
      ["a step whose states", () => forgetful, `${FIRST}`, FIRST_OF_STATES],
    ];
    test.each(isLong ? refused : refused.slice(0, 1))(
      "refuses %s the lite servers no longer have, and leaves the database empty",
      async (_what, servers, given, oldest) => {
        const url = await server.createDatabase(heldIndex);
        const { code, stderr } = await run(url, "run", ...lite({ servers: servers() }), "--start", given);
        const message = `--start: expected newest or a step from ${oldest} on, made .+ ago, since .+ got ${given === "1d" ? "86400s" : given}$`;
        expect([code, stderr.trim().split("\n").at(-1)]).toEqual([2, expect.stringMatching(message)]);
        // The step of the message is accepted.
        const indexer = start(url, "run", ...lite({ servers: servers() }), "--start", `${oldest}`);
        await indexer.reached(SMALL.steps);
        await indexer.end("SIGINT");
        expect((await readIndexStatus({ url })).firstSeqno).toBe(oldest);
      },
    );

    if (isLong) {
      test("refuses a step that the chain does not have yet, and reads an old one from archival servers", async () => {
        const url = await server.createDatabase(heldIndex);
        const later = await run(url, "run", ...lite(), "--start", "13");
        expect(later.stderr).toContain("--start: expected at most the newest step, 12, got 13");
        // Archival servers have it.
        const indexer = start(url, "run", ...lite({ archival: true }), "--start", "3");
        await indexer.reached(SMALL.steps);
        await indexer.end("SIGINT");
        expect((await readIndexStatus({ url })).firstSeqno).toBe(3);
      });
    }
  });

  if (isLong) {
    test("run after a stop longer than the lite servers keep states says so", async () => {
      const url = await server.createDatabase(heldIndex);
      const first = start(url, "run", ...lite({ servers: whole }), "--start", "3");
      await first.reached(SMALL.steps);
      await first.end("SIGINT");
      expect((await run(url, "drop", "--after", "3")).code).toBe(0);
      const again = start(url, "run", ...lite({ servers: forgetful }));
      await again.until(() =>
        again.stderr.includes(
          "the lite servers do not have the blocks and states of step 4; if they have deleted them, add others with --lite-archival",
        ),
      );
      await again.end("SIGINT");
    });
  }

  describe("backfill --back-to", () => {
    if (isLong) {
      test("refuses a step whose states the lite servers no longer have", async () => {
        const url = await lateIndex(lite({ servers: whole }));
        for (const step of ["3", "1"]) {
          const { code, stderr } = await run(url, "backfill", ...lite(), "--back-to", step);
          const message = `--back-to: expected a step from ${FIRST} on, made .+ got ${step}$`;
          expect([code, stderr.trim().split("\n").at(-1)]).toEqual([2, expect.stringMatching(message)]);
        }
      });
    }

    test(`extends an index beside the indexer${isLong ? ", loses nothing when it is killed, and continues" : ""}`, async () => {
      const url = await lateIndex();
      const indexer = start(url, "run", ...lite());
      const args = ["backfill", ...lite({ archival: true }), "--back-to", "1", "--batch", "2"];
      for (const point of isLong ? [FIRST - 4, 1, 0] : []) {
        await using held = await hold(url, "history", point);
        const extension = startProcess(url, ...args);
        await extension.until(held.isReached);
        extension.signal("SIGKILL");
        await extension.ended();
        await held.release();
        const { firstSeqno } = await readIndexStatus({ url });
        expect(firstSeqno).toBeGreaterThan(point);
        expect(await verifyIndex({ url })).toMatchObject({ firstSeqno });
        // The lease of a process that was killed.
        await inDatabase(url, (sql) => sql`UPDATE indexer_lease SET heartbeat = to_timestamp(0) WHERE name = 'history'`);
      }
      const { code, stderr } = await run(url, ...args);
      expect([code, stderr]).toEqual([0, expect.stringContaining("the index has the whole chain")]);
      await indexer.end("SIGINT");
      expect(await verifyIndex({ url })).toMatchObject({ firstSeqno: 0, steps: SMALL.steps });
      expect(await rowsFrom(url, 0)).toEqual(await rowsFrom(await wholeIndex(), 0));
      expect((await run(url, "status")).stdout).toContain("history  whole");
    });

    if (isLong) {
      test("refuses an index with the zero state, in one line", async () => {
        const { code, stderr } = await run(await wholeIndex(), "backfill", ...lite({ archival: true }), "--back-to", "1");
        expect([code, stderr.trim().split("\n").at(-1)]).toEqual([2, expect.stringContaining("this one has the zero state")]);
      });
    }
  });
}
