/** Lite servers that keep some history, and delete more while a service reads from them. */

import { prune } from "@chain-query/lite-server/testing";
import { madeChain } from "@chain-query/local-chain/testing";
import { toRawAddress } from "@chain-query/openapi/address";
import { until } from "@chain-query/testing/until";
import { beforeAll, expect, test } from "vitest";
import type { Status } from "../../src/status/status.ts";
import { ask } from "../fixtures/ask.ts";
import { liteOptions, startLiteNetwork } from "../fixtures/lite-network.ts";
import { startService } from "../fixtures/service.ts";
import { frozenChain } from "../postgres/indexed-chain.ts";
import { type ChainFacts, chainRequests, factsOf } from "./chain-requests.ts";
import { differences, httpRequest } from "./compare.ts";
import { patientDeadline } from "./parity.ts";

const requests = 50;

let folder: string;
let facts: ChainFacts;
beforeAll(async () => {
  folder = await madeChain(frozenChain);
  facts = await factsOf(folder);
});

test.each(["none", "proofs"] as const)("a service finds out what they keep, with --trust %s", async (trust) => {
  const [newest, ...others] = facts.blocks.filter(({ id }) => id.workchain === -1).toReversed();
  if (newest === undefined) return expect.unreachable();
  const blockAt = (seqno: number) => others.find(({ id }) => id.seqno === seqno) ?? expect.unreachable();
  const since = (firstSeqno: number) => ({ firstSeqno, endLt: blockAt(firstSeqno - 1).endLt });
  // What one of them does not have, another one does: the second one decides.
  const histories = [16, 12, 8].map(since);
  await using network = await startLiteNetwork(
    folder,
    3,
    histories.map((history) => [prune(history)]),
  );
  const start = (options: Parameters<typeof startService>[0]) => startService({ deadline: patientDeadline, ...options });
  await using service = await start({ source: { ...liteOptions, trust, servers: network.config } });
  const { url } = service;
  const json = async (path: string): Promise<unknown> => (await fetch(url + path)).json();
  const oldestIs = (seqno: number) =>
    until(async () => ((await json("/readyz")) as Status).oldest?.seqno === seqno || undefined);
  const allKnown = async () => ((await json("/status.json")) as Status).servers?.every(({ oldest }) => oldest) || undefined;

  await until(allKnown);
  await oldestIs(12);
  const { time } = blockAt(12);
  expect(await json("/readyz")).toEqual({ ok: true, oldest: { seqno: 12, time } });
  const { oldest, servers } = (await json("/status.json")) as Status;
  expect(oldest).toEqual({ seqno: 12, time });
  expect(servers?.map(({ oldest: own }) => own?.seqno)).toEqual([16, 12, 8]);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toMatch(/^chain_query_lite_server_oldest_seqno\{server="[0-9a-f]{8}"\} 8$/m);

  // Pages end there, as in a folder with that retention.
  await using direct = await start({ source: { kind: "chain", folder }, retention: newest.time - time });
  const pages = chainRequests(facts, { count: 12 * requests, seed: 4, pinned: true })
    .filter(({ operation }) => operation === "getTransactionsStd")
    .map(({ operation, input }) => httpRequest({ operation, input: { ...input, archival: false } }));
  const { different, statuses } = await differences([direct.url, url], pages.slice(0, requests));
  expect(different).toEqual([]);
  expect(statuses).toMatchObject({ 200: expect.any(Number), 500: expect.any(Number) });

  for (const [index, firstSeqno] of [20, 18, 14].entries()) Object.assign(histories[index] ?? {}, since(firstSeqno));
  // Soon after servers did not have a block: each read asks two of them.
  const address = toRawAddress(facts.accounts[0] ?? expect.unreachable());
  await until(async () => {
    const { status, body } = await ask(url, "getAddressInformation", { address, seqno: "13" });
    expect([status, body.error]).toEqual([500, expect.stringMatching(/^this is not in the history .*--lite-archival\)$/)]);
    return ((await json("/readyz")) as Status).oldest?.seqno === 18 || undefined;
  });
});
