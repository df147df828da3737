/** The responses from every source, compared for many requests and for the documented ones on their chain. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { validateService } from "@chain-query/conformance";
import { liteServerSteps } from "@chain-query/indexer";
import { liteClient, parseGlobalConfig } from "@chain-query/lite";
import { openProducer } from "@chain-query/local-chain";
import { continueScenario, createScenario } from "@chain-query/local-chain/scenario";
import { madeChain } from "@chain-query/local-chain/testing";
import { sharedPostgres } from "@chain-query/testing/services";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serve } from "../fixtures/lite-command.ts";
import { startLiteNetwork, waitForHead } from "../fixtures/lite-network.ts";
import { startLiteServers } from "../fixtures/lite-servers.ts";
import { startService, temporaryFolder } from "../fixtures/service.ts";
import { frozenChain, indexOf, reshardedChain, unevenChain } from "../postgres/indexed-chain.ts";
import { chainRequests, factsOf } from "./chain-requests.ts";
import { differences, httpRequest } from "./compare.ts";
import { compareSources, compareUnevenSources, documentedRequests, patientDeadline } from "./parity.ts";

const plan = { count: 2000, ofRecent: 2000, steps: 5 };
compareSources(plan);
compareUnevenSources(plan);

test.each([
  ["accounts of every kind", frozenChain],
  ["shards that split and merge", reshardedChain],
  ["none to three blocks of a shard in a step", unevenChain],
])("an index that is made from lite servers gives the responses of the folder: %s", async (_, options) => {
  const chain = await madeChain(options);
  await using network = await startLiteNetwork(chain, 2);
  // On a busy machine, answers take seconds: three late ones would end a connection, and with it all reads on it.
  const limits = { timeoutMs: 60_000, attemptTimeoutMs: 60_000 };
  const client = liteClient(parseGlobalConfig(readFileSync(network.config, "utf8")), { rate: 100_000, ...limits });
  const server = await sharedPostgres();
  await using index = await indexOf(liteServerSteps({ client }), await server.createDatabase());
  await using indexed = await startService({
    deadline: patientDeadline,
    source: { kind: "index", primary: index.url, replicas: [] },
  });
  await using direct = await startService({ source: { kind: "chain", folder: chain } });
  const requests = chainRequests(await factsOf(chain), { count: 600, seed: 15 }).map(httpRequest);
  expect(await differences([direct.url, indexed.url], requests)).toMatchObject({ different: [] });
});

describe("the documented requests", () => {
  const resources = new AsyncDisposableStack();
  let head: number;
  let direct: string;
  let config: string;

  beforeAll(async () => {
    const chain = join(resources.use(temporaryFolder()).path, "chain");
    await createScenario(chain);
    const producer = await openProducer(chain);
    for await (const { seqno } of continueScenario(producer)) head = seqno;
    await producer.close();
    direct = resources.use(await startService({ source: { kind: "chain", folder: chain } })).url;
    ({ config } = resources.use(await startLiteServers(chain, 3)));
  });
  afterAll(() => resources.disposeAsync());

  test("pass the conformance kit", async () => {
    const { results } = await validateService({ baseUrl: direct, profile: "examples", fuzz: 25, seed: 1 });
    expect(results.length).toBeGreaterThan(200);
    expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  });

  test("are answered alike by lite servers", async () => {
    using folder = temporaryFolder();
    await using command = serve(folder.path, config, "--lite-rate", "10000", "--retention", "48h");
    const url = await command.url;
    await waitForHead(url, head);
    expect(await differences([direct, url], documentedRequests)).toMatchObject({ different: [] });
  });
});
