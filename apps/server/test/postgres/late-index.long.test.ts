import { FROZEN } from "@chain-query/testing/chains";
/** A service on an index that begins late, over HTTP: with lite servers, with archival ones, and without any. */

import { isSameAccount } from "@chain-query/format/identifiers";
import { type LiteBehaviour, prune } from "@chain-query/lite/faults";
import { chainSteps } from "@chain-query/local-chain";
import { madeChain } from "@chain-query/local-chain/testing";
import { toRawAddress } from "@chain-query/openapi/address";
import { inDatabase, sharedPostgres } from "@chain-query/testing/services";
import { until } from "@chain-query/testing/until";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../fixtures/ask.ts";
import { serversOf, startLiteNetwork } from "../fixtures/lite-network.ts";
import { startService, type TestOptions } from "../fixtures/service.ts";
import { type ChainFacts, chainRequests, factsOf } from "../lite/chain-requests.ts";
import { differences, httpRequest } from "../lite/compare.ts";
import { expectDropped, lateSource, patientDeadline, stepsOf } from "../lite/parity.ts";
import { indexedDatabase } from "./indexed-chain.ts";

const FIRST = 16;
const requests = 300;

const resources = new AsyncDisposableStack();
let facts: ChainFacts;
let direct: string;
let endLt: bigint;
/** Paths of configurations: servers with the blocks of the index, and with the newest block. */
let recent: string;
let newest: string;

beforeAll(async () => {
  const folder = await madeChain(FROZEN);
  facts = await factsOf(folder);
  const source = chainSteps(folder);
  endLt = (await source.tips(FIRST - 1))[0]?.endLt ?? expect.unreachable();
  await source.close();
  const network = async (behaviour: LiteBehaviour) => resources.use(await startLiteNetwork(folder, 1, [[behaviour]])).config;
  recent = await network(prune({ firstSeqno: FIRST, endLt }));
  newest = await network(prune({ firstSeqno: facts.head, endLt }));
  direct = await serve({ kind: "chain", folder });
});
afterAll(() => resources.disposeAsync());

async function serve(source: NonNullable<TestOptions["source"]>): Promise<string> {
  return resources.use(await startService({ deadline: patientDeadline, source })).url;
}

async function lateDatabase(): Promise<string> {
  return indexedDatabase(await sharedPostgres(), FROZEN, { first: FIRST });
}

/** Compares a service with the one on the whole chain. Returns the kinds of its different responses, all of which are of old history. */
async function differentKinds(url: string, seed: number): Promise<string[]> {
  const { different } = await differences([direct, url], chainRequests(facts, { count: requests, seed }).map(httpRequest));
  const stepOf = stepsOf(facts);
  return [...new Set(different.map((one) => expectDropped(one, { firstSeqno: FIRST, endLt, stepOf })))].sort();
}

const ofOldHistory = [
  "getAddressInformation 500",
  "getTransactionsStd 200",
  "getTransactionsStd 500",
  "lookupBlock 500",
  "tryLocateResultTx 500",
  "tryLocateSourceTx 500",
];

describe("a service on an index that begins late", () => {
  test("gives all responses of the chain, except for history before the index, with a role that can only read", async () => {
    const primary = await lateDatabase();
    await inDatabase(primary, async (sql) => {
      await sql.unsafe(
        "DO $$ BEGIN CREATE ROLE late_reader LOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$",
      );
      await sql.unsafe("GRANT SELECT ON ALL TABLES IN SCHEMA public TO late_reader");
    });
    const reader = Object.assign(new URL(primary), { username: "late_reader" }).href;
    const url = await serve(lateSource(reader, recent, undefined));
    expect(await differentKinds(url, 23)).toEqual(ofOldHistory);
    const accounts = facts.accounts.map((account) => ({ address: toRawAddress(account) }));
    const answers = await Promise.all(accounts.map((query) => ask(url, "getAddressInformation", query)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test("gives the state of an account before its first change, which servers no longer have, and of an account that did not exist", async () => {
    const url = await serve(lateSource(await lateDatabase(), newest, undefined));
    const changes = facts.accounts.flatMap((account) => {
      const own = facts.transactions.filter((one) => isSameAccount(one.account, account) && one.masterchainSeqno >= FIRST);
      const first = Math.min(...own.map(({ masterchainSeqno }) => masterchainSeqno));
      if (!(first > FIRST && first < facts.head)) return [];
      return [FIRST, first - 1].map((seqno) => ({ address: toRawAddress(account), seqno: String(seqno) }));
    });
    const states = changes.map(async (input) => {
      const [found, expected] = [
        await ask(url, "getAddressInformation", input),
        await ask(direct, "getAddressInformation", input),
      ];
      expect(found.body.result).toEqual(expected.body.result);
      return JSON.stringify(expected.body.result).includes('"state":"uninitialized"') ? "uninitialized" : "active";
    });
    expect(new Set(await Promise.all(states))).toEqual(new Set(["active", "uninitialized"]));
  });

  test("refuses accounts that have not changed without lite servers", async () => {
    const url = await serve({ kind: "index", primary: await lateDatabase(), replicas: [] });
    const answers = await Promise.all(
      facts.accounts.map((account) => ask(url, "getAddressInformation", { address: toRawAddress(account) })),
    );
    const refused = answers.filter(({ status }) => status === 500);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(answers.length);
    for (const { body } of refused)
      expect(body.error).toBe(
        "the account has not changed since masterchain block 16, and its state before is not in this node's history",
      );
  });

  test("reads the file of lite servers again at a reload", async () => {
    await using network = await startLiteNetwork(await madeChain(FROZEN), 2);
    network.configure([0]);
    await using service = await startService({ source: lateSource(await lateDatabase(), network.config, undefined) });
    const names = async () => (await serversOf(service.url)).map(({ name }) => name);
    const [before = expect.unreachable()] = await names();
    network.configure([1]);
    await service.reload();
    await until(names, (found) => !found.includes(before));
  });

  test("refuses lite servers of another network", async () => {
    const other = resources.use(await startLiteNetwork(await madeChain({ ...FROZEN, seed: 99, steps: 1 }), 1));
    await expect(serve(lateSource(await lateDatabase(), other.config, undefined))).rejects.toThrow(
      "--lite-servers: validator.zero_state: must be that of the index, got another network",
    );
  });
});
