/**
 * The service on a folder and the service on an index of the same chain give the same answers. PARITY_REQUESTS sets the number of
 * generated requests; with PARITY_FROM=lite-servers, the index is made from lite servers over the folder.
 */
import { readFileSync } from "node:fs";
import { liteServerSteps } from "@chain-query/indexer";
import { liteClient, parseGlobalConfig } from "@chain-query/lite-client";
import { chainSteps } from "@chain-query/local-chain";
import { dropHistory } from "@chain-query/postgres-store";
import { type PostgresServer, startPostgres } from "@chain-query/test-services";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LiteNetwork, startLiteNetwork } from "../fixtures/lite-network.ts";
import { startService, type TestService } from "../fixtures/service.ts";
import { chainRequests } from "../lite/chain-requests.ts";
import { differences, httpRequest } from "../lite/compare.ts";
import { type ParityChain, startParityChain } from "../lite/parity-chain.ts";
import { type IndexOfChain, indexOf } from "./index-of-chain.ts";

const count = Number(process.env["PARITY_REQUESTS"] ?? 600);
const steps = 24;
/** Of the index whose partitions of five steps were dropped. */
const firstSeqno = 20;

let parity: ParityChain;
let server: PostgresServer;
let indexed: TestService;
let network: LiteNetwork | undefined;
/** Reads from a database whose old partitions were dropped, and from an archive. */
let archived: TestService;
/** The same without the archive. */
let recentOnly: TestService;
let index: IndexOfChain;

beforeAll(async () => {
  parity = await startParityChain({ accounts: 60, steps });
  const { chain } = parity;
  server = await startPostgres();
  if (process.env["PARITY_FROM"] === "lite-servers") network = await startLiteNetwork(chain, 2);
  index = await indexOf(network ? liteSteps(network) : chainSteps(chain), await server.createDatabase());
  indexed = await startService({ postgres: { primary: index.url, replicas: [], archive: undefined } });
  const recent = await indexOf(chainSteps(chain), await server.createDatabase(), undefined, 5);
  await recent[Symbol.asyncDispose]();
  await dropHistory({ url: recent.url }, { beforeStep: firstSeqno });
  archived = await startService({ postgres: { primary: recent.url, replicas: [], archive: index.url } });
  recentOnly = await startService({ postgres: { primary: recent.url, replicas: [], archive: undefined } });
});
afterAll(async () => {
  await recentOnly?.[Symbol.asyncDispose]();
  await archived?.[Symbol.asyncDispose]();
  await indexed?.[Symbol.asyncDispose]();
  await index?.[Symbol.asyncDispose]();
  await network?.[Symbol.asyncDispose]();
  await parity?.[Symbol.asyncDispose]();
  await server?.stop();
});

describe("the answers from PostgreSQL are those from the folder", () => {
  test("at one head", async () => {
    const requests = chainRequests(parity.facts, { count, seed: 15 }).map(httpRequest);
    expect(await differences([parity.direct.url, indexed.url], requests)).toMatchObject({ different: [] });
  });

  test("with old transactions in an archive only", async () => {
    const requests = chainRequests(parity.facts, { count, seed: 16 }).map(httpRequest);
    expect(await differences([parity.direct.url, archived.url], requests)).toMatchObject({ different: [] });
  });

  test("without an archive, where nothing was dropped; the rest is refused or ends early", async () => {
    const requests = chainRequests(parity.facts, { count, seed: 17 });
    const { different } = await differences([parity.direct.url, recentOnly.url], requests.map(httpRequest));
    const dropped = parity.facts.blocks.find(({ id }) => id.workchain === -1 && id.seqno === firstSeqno - 1);
    const endLt = dropped?.endLt ?? expect.unreachable();
    const stepOf = new Map(parity.facts.transactions.map(({ id, masterchainSeqno }) => [base64(id.hash), masterchainSeqno]));
    const kinds = new Set<string>();
    for (const { request, answers } of different) {
      const [right, found] = answers.map(resultOf);
      const asked = { ...request.query, ...(request.body as object) } as Record<string, string>;
      if (found?.status === 500) {
        expect(found.error).toMatch(/^(?:lt|masterchain block|a message of lt) \d+ is not in this node's history/);
        const [, number = ""] = /(\d+) is/.exec(found.error) ?? [];
        if (found.error.startsWith("masterchain")) expect(Number(number)).toBeLessThan(firstSeqno);
        else expect(BigInt(number)).toBeLessThan(endLt);
        expect([asked["seqno"], asked["lt"], asked["created_lt"], right?.first?.lt]).toContain(number);
        // Never of what is there.
        if (right?.first) expect(stepOf.get(right.first.hash)).toBeLessThan(firstSeqno);
      } else {
        expect(found?.transactions.length).toBeGreaterThan(0);
        expect(found?.transactions).toEqual(right?.transactions.slice(0, found?.transactions.length));
        expect(BigInt(found?.next ?? "")).toBeLessThan(endLt);
      }
      kinds.add(`${request.path.slice(8)} ${found?.status}`);
    }
    expect([...kinds].sort()).toEqual([
      "getAddressInformation 500",
      "getTransactionsStd 200",
      "getTransactionsStd 500",
      "tryLocateResultTx 500",
      "tryLocateSourceTx 500",
    ]);
  });

  test("at each head while the chain grows", async () => {
    for (let step = 0; step < 5; step++) {
      const { seqno } = await parity.producer.step();
      await index.follow();
      const requests = chainRequests(parity.facts, { count: count / 10, seed: seqno }).map(httpRequest);
      expect(await differences([parity.direct.url, indexed.url], requests), `at ${seqno}`).toMatchObject({ different: [] });
    }
  });
});

function liteSteps({ config }: LiteNetwork) {
  return liteServerSteps({ client: liteClient(parseGlobalConfig(readFileSync(config, "utf8")), { rate: 100_000 }) });
}

/** The parts of an answer that tell whether another one is a part of it. */
function resultOf(answer: string) {
  const { result, error = "" } = JSON.parse(answer.slice(answer.indexOf("{")));
  const transactions: readonly { transaction_id: { lt: string; hash: string } }[] = result?.transactions ?? [];
  return {
    ...{ status: Number(answer.slice(0, 3)), error: String(error), transactions },
    /** Of a page, or of the transaction of a message. */
    first:
      transactions[0]?.transaction_id ?? (result?.transaction_id as (typeof transactions)[0]["transaction_id"] | undefined),
    next: result?.previous_transaction_id?.lt as string | undefined,
  };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
