/** Lite servers that keep some history. */

import { prune, shortHistory } from "@chain-query/lite/faults";
import { madeChain } from "@chain-query/local-chain/testing";
import { toRawAddress } from "@chain-query/openapi/address";
import type { ResultOf } from "@chain-query/types";
import { beforeAll, expect, test } from "vitest";
import { ask } from "../fixtures/ask.ts";
import { liteOptions, startLiteNetwork } from "../fixtures/lite-network.ts";
import { startService } from "../fixtures/service.ts";
import { frozenChain } from "../postgres/indexed-chain.ts";
import { type ChainFacts, factsOf } from "./chain-requests.ts";
import { patientDeadline } from "./parity.ts";

let folder: string;
let facts: ChainFacts;
beforeAll(async () => {
  folder = await madeChain(frozenChain);
  facts = await factsOf(folder);
});

test("pages end where all servers refuse older transactions", async () => {
  const masters = facts.blocks.filter(({ id }) => id.workchain === -1);
  const blockAt = (seqno: number) => masters.find(({ id }) => id.seqno === seqno) ?? expect.unreachable();
  const since = (firstSeqno: number) => ({ firstSeqno, endLt: blockAt(firstSeqno - 1).endLt });
  // What two of them do not have, the third one does.
  await using network = await startLiteNetwork(
    folder,
    3,
    [16, 12, 8].map((first) => [prune(since(first)), shortHistory(1)]),
  );
  await using service = await startService({ deadline: patientDeadline, source: { ...liteOptions, servers: network.config } });
  await using direct = await startService({ deadline: patientDeadline, source: { kind: "chain", folder } });
  const address = toRawAddress(facts.accounts[0] ?? expect.unreachable());
  const page = async ({ url }: { url: string }, more: object) =>
    (await ask(url, "getTransactionsStd", { address, limit: 100, archival: false, ...more })).body;
  const { transactions: all } = (await page(direct, { archival: true })).result as ResultOf<"getTransactionsStd">;

  const { endLt } = blockAt(7);
  const kept = all.filter(({ transaction_id: { lt } }) => BigInt(lt) >= endLt);
  const older = all[kept.length] ?? expect.unreachable();
  expect(kept.length).toBeGreaterThan(0);
  const { transactions, previous_transaction_id: previous } = (await page(service, {}))
    .result as ResultOf<"getTransactionsStd">;
  expect([transactions, previous]).toEqual([kept, older.transaction_id]);
  const { lt, hash } = previous;
  expect(await page(service, { lt, hash })).toMatchObject({
    code: 500,
    error: `lt ${lt} is not in this node's history, use archival=true to reach it`,
  });
  const { status, body } = await ask(service.url, "getAddressInformation", { address, seqno: "7" });
  expect([status, body.error]).toEqual([500, expect.stringMatching(/^this is not in the history .*--lite-archival\)$/)]);
});
