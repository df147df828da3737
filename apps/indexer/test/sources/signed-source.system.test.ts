/** The source of the indexer on a chain with validators: the progress of the first start, the metrics, and a head without signatures. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { MASTERCHAIN } from "@chain-query/format/identifiers";
import type { LiteEventLine } from "@chain-query/lite";
import { migrate } from "@chain-query/postgres-store";
import { sharedFolder } from "@chain-query/testing/folders";
import { inDatabase, sharedPostgres } from "@chain-query/testing/services";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSource } from "../../src/sources/open-source.ts";
import { start as startIndexer } from "../processes.ts";
import { type ServedChain, serveChain } from "./served-chain.ts";

const STEPS = 12;
const INIT = 4;
let served: ServedChain;
const folder = sharedFolder();
beforeAll(async () => {
  const validators = { validators: 4, keyBlocks: 2, blockInterval: 1 } as const;
  served = await serveChain({ seed: 6, accounts: 10, shards: 1, rate: 1, steps: STEPS, ...validators });
});
afterAll(() => served.close());

/** Opens a source whose configuration names an `init_block`, and reads its newest step. */
async function start(initBlock: object) {
  const file = join(folder, "global.config.json");
  const config = served.server.config();
  writeFileSync(file, JSON.stringify({ ...config, validator: { ...config.validator, init_block: initBlock } }));
  const lines: LiteEventLine[] = [];
  const shown: string[] = [];
  const registry = new Registry();
  const source = openSource(
    { servers: file, rate: 10_000 },
    {
      onLine: (line) => void lines.push(line),
      progress: { show: (text) => void shown.push(text), clear: () => void shown.push("") },
      registry,
    },
  );
  expect(await source.newest()).toBe(STEPS);
  expect(source.queries()).toEqual({ all: expect.any(Number), ofAccounts: 0, limit: 10_000 });
  expect(source.queries()?.all).toBeGreaterThan(1);
  await source.close();
  return { messages: lines.map(({ message }) => message), shown, metrics: await registry.metrics() };
}

test("signatures are verified from the init_block on, and a terminal shows how far", async () => {
  const { id } = served.chain.block(MASTERCHAIN, { seqno: INIT }) ?? expect.unreachable();
  const [rootHash, fileHash] = [id.rootHash, id.fileHash].map((hash) => Buffer.from(hash).toString("base64"));
  const named = { ...served.server.config().validator.init_block, seqno: INIT, root_hash: rootHash, file_hash: fileHash };
  const { messages, shown, metrics } = await start(named);
  expect(messages).toContain(
    "there is no folder for the anchor, so each start verifies all signatures since the init_block; name a file with --lite-anchor",
  );
  expect(messages).toContain("the newest block is verified by the signatures of validators");
  expect(shown).toEqual([expect.stringContaining(`verifying signatures: key block ${STEPS} of ${STEPS}, `), ""]);
  const checked = Number(/^chain_query_lite_signatures_checked_total (.+)$/m.exec(metrics)?.[1]);
  expect(checked).toBeGreaterThanOrEqual(((STEPS - INIT) / 2) * 3);
  expect(metrics).toMatch(/^chain_query_lite_verified_head_age_seconds [1-9]/m);
  expect(metrics).toMatch(/^chain_query_lite_signed_forks_total 0$/m);
});

test("steps of a server that the operator runs are written without signatures, and log and readiness say so", async () => {
  const file = join(folder, "own.config.json");
  const key = served.server.config().liteservers[0]?.id.key ?? "";
  writeFileSync(file, JSON.stringify(served.server.config()));
  const url = await (await sharedPostgres()).createDatabase();
  await migrate({ url });
  const index = startIndexer(
    url,
    "run",
    "--from-lite-servers",
    file,
    "--lite-head-from",
    key,
    "--admin-address",
    "127.0.0.1:0",
  );
  await index.reached(STEPS);
  const warning = expect.stringMatching(
    /^the newest block is that of lite server [0-9a-f]{8}, and is not verified by signatures$/,
  );
  const [base] = index.stdout.split("\n");
  expect(await (await fetch(`${base}/readyz`)).json()).toMatchObject({ warning });
  expect(await (await fetch(`${base}/metrics`)).text()).toMatch(/^chain_query_lite_signatures_checked_total 0$/m);
  await index.end("SIGTERM");
  const msg = "the newest block is that of one lite server, and is not verified by signatures";
  expect(index.log).toContainEqual(expect.objectContaining({ level: 40, msg }));
});

test("two signed chains are recorded in the database, and no indexer writes until an operator deletes the record", async () => {
  const options = { seed: 6, accounts: 10, shards: 1, validators: 4, keyBlocks: "none", blockInterval: 1 } as const;
  await using resources = new AsyncDisposableStack();
  const serve = async (rate: number, steps: number) => {
    const chain = await serveChain({ ...options, rate, steps }, new Uint8Array(32).fill(rate));
    resources.defer(() => chain.close());
    return chain.server.config();
  };
  const [right, fork] = [await serve(1, 4), await serve(2, 6)];
  const file = join(folder, "two-chains.config.json");
  const list = (...configs: (typeof right)[]) =>
    writeFileSync(file, JSON.stringify({ ...right, liteservers: configs.flatMap(({ liteservers }) => liteservers) }));
  const url = await (await sharedPostgres()).createDatabase();
  await migrate({ url });
  const index = () => startIndexer(url, "run", "--from-lite-servers", file, "--lite-rate", "10000");
  const rows = () => inDatabase(url, (sql) => sql`SELECT record FROM signed_fork`);
  list(fork, right);
  const first = index();
  await first.until(async () => (await rows()).length === 1);
  await first.until(() => first.stderr.includes("run DELETE FROM signed_fork in the database of the index"));
  await first.end("SIGTERM");
  expect(JSON.parse((await rows())[0]?.["record"])).toMatchObject({ seqno: 4, blocks: expect.anything() });
  list(fork);
  const second = index();
  await second.until(() => second.stderr.includes("run DELETE FROM signed_fork in the database of the index"));
  await second.end("SIGTERM");
  expect(await inDatabase(url, (sql) => sql`SELECT 1 FROM head`)).toHaveLength(0);
  await inDatabase(url, (sql) => sql`DELETE FROM signed_fork`);
  list(right);
  const third = index();
  await third.reached(4);
});
