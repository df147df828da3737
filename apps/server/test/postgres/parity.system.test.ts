/**
 * The service on a folder and the service on an index of the same chain give the same answers. PARITY_REQUESTS sets the number of
 * generated requests; with PARITY_FROM=lite-servers, the index is made from lite servers over the folder.
 */
import { readFileSync } from "node:fs";
import { liteServerSteps } from "@chain-query/indexer";
import { liteClient, parseGlobalConfig } from "@chain-query/lite-client";
import { chainSteps } from "@chain-query/local-chain";
import { type PostgresServer, startPostgres } from "@chain-query/test-services";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LiteNetwork, startLiteNetwork } from "../fixtures/lite-network.ts";
import { startService, type TestService } from "../fixtures/service.ts";
import { chainRequests } from "../lite/chain-requests.ts";
import { differences, httpRequest } from "../lite/compare.ts";
import { type ParityChain, startParityChain } from "../lite/parity-chain.ts";
import { type IndexOfChain, indexOf } from "./index-of-chain.ts";

const count = Number(process.env["PARITY_REQUESTS"] ?? 600);
const steps = 24;

let parity: ParityChain;
let server: PostgresServer;
let indexed: TestService;
let network: LiteNetwork | undefined;
/** Reads from a database without old transactions, and from an archive. */
let archived: TestService;
let index: IndexOfChain;

beforeAll(async () => {
  parity = await startParityChain({ accounts: 60, steps });
  const { chain } = parity;
  server = await startPostgres();
  if (process.env["PARITY_FROM"] === "lite-servers") network = await startLiteNetwork(chain, 2);
  index = await indexOf(network ? liteSteps(network) : chainSteps(chain), await server.createDatabase());
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
