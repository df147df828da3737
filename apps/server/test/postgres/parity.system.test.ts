/**
 * The service on a folder and the service on an index of the same chain give the same answers. PARITY_REQUESTS sets the number of
 * generated requests; with PARITY_FROM=lite-servers, the index is made from lite servers over the folder.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { liteServerSteps } from "@chain-query/indexer";
import { liteClient, parseGlobalConfig } from "@chain-query/lite-client";
import { chainSteps, createChain, openProducer, type Producer } from "@chain-query/local-chain";
import { type PostgresServer, startPostgres } from "@chain-query/test-services";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LiteNetwork, startLiteNetwork } from "../fixtures/lite-network.ts";
import { startService, type TestService, temporaryFolder } from "../fixtures/service.ts";
import { type ChainFacts, chainRequests, factsOf } from "../lite/chain-requests.ts";
import { differences, httpRequest } from "../lite/compare.ts";
import { type IndexOfChain, indexOf } from "./index-of-chain.ts";

const count = Number(process.env["PARITY_REQUESTS"] ?? 600);
const steps = 24;

const folder = temporaryFolder();
let server: PostgresServer;
let direct: TestService;
let indexed: TestService;
let network: LiteNetwork | undefined;
/** Reads from a database without old transactions, and from an archive. */
let archived: TestService;
let index: IndexOfChain;
let producer: Producer;
let facts: ChainFacts;

beforeAll(async () => {
  const chain = join(folder.path, "chain");
  await createChain(chain, { seed: 3, accounts: 60, rate: 60, blockInterval: 86_400, shards: 4, transactionLimit: 30 });
  producer = await openProducer(chain);
  await producer.steps(Array.from({ length: steps }, () => ({})));
  server = await startPostgres();
  if (process.env["PARITY_FROM"] === "lite-servers") network = await startLiteNetwork(chain, 2);
  index = await indexOf(network ? liteSteps(network) : chainSteps(chain), await server.createDatabase());
  facts = await factsOf(chain);
  direct = await startService({ chain });
  indexed = await startService({ postgres: { primary: index.url, replicas: [], archive: undefined } });
  const recent = await indexOf(chainSteps(chain), await server.createDatabase());
  const sql = postgres(recent.url, { max: 1 });
  await sql`DELETE FROM transactions WHERE mc_seqno < ${steps - 5}`;
  await sql.end();
  await recent[Symbol.asyncDispose]();
  archived = await startService({ postgres: { primary: recent.url, replicas: [], archive: index.url } });
});
afterAll(async () => {
  await archived?.[Symbol.asyncDispose]();
  await indexed?.[Symbol.asyncDispose]();
  await direct?.[Symbol.asyncDispose]();
  await index?.[Symbol.asyncDispose]();
  await network?.[Symbol.asyncDispose]();
  await producer?.close();
  await server?.stop();
  folder[Symbol.dispose]();
});

describe("the answers from PostgreSQL are those from the folder", () => {
  test("at one head", async () => {
    const requests = chainRequests(facts, { count, seed: 15 }).map(httpRequest);
    expect(await differences([direct.url, indexed.url], requests)).toMatchObject({ different: [] });
  });

  test("with old transactions in an archive only", async () => {
    const requests = chainRequests(facts, { count, seed: 16 }).map(httpRequest);
    expect(await differences([direct.url, archived.url], requests)).toMatchObject({ different: [] });
  });

  test("at each head while the chain grows", async () => {
    for (let step = 0; step < 5; step++) {
      const { seqno } = await producer.step();
      await index.follow();
      const requests = chainRequests(facts, { count: count / 10, seed: seqno }).map(httpRequest);
      expect(await differences([direct.url, indexed.url], requests), `at ${seqno}`).toMatchObject({ different: [] });
    }
  });
});

function liteSteps({ config }: LiteNetwork) {
  return liteServerSteps({ client: liteClient(parseGlobalConfig(readFileSync(config, "utf8")), { rate: 100_000 }) });
}
