/** What is not there is not there on every source, and no question changes what the client thinks of its servers. */
import { openChain } from "@chain-query/local-chain";
import { expect, test } from "vitest";
import { ask, resultOf } from "../fixtures/ask.ts";
import { longestHistory, testChain } from "../fixtures/chain.ts";
import { serversOf } from "../fixtures/lite-command.ts";
import { onLiteServers, startLiteNetwork, waitForHead } from "../fixtures/lite-network.ts";
import { startService } from "../fixtures/service.ts";
import type { ChainRequest } from "./chain-requests.ts";
import { differences, httpRequest } from "./compare.ts";

// Before there are lite servers in this process, which could not answer meanwhile.
const [newest] = longestHistory();
const head = 60;
/** The masterchain, the basechain, and workchains that the chain does not have. */
const workchains = [-1, 0, 1, 5, -2];
const hash = "ab".repeat(32);

/** @param endLt - Of the newest masterchain block, which is above those of the shards. */
function* questions(endLt: bigint): Generator<ChainRequest> {
  if (newest === undefined) throw new Error("the chain has transactions");
  const { lt } = newest.id;
  for (const workchain of workchains) {
    const address = `${workchain}:${hash}`;
    for (const seqno of [undefined, "0", "1", String(head), String(head + 1), "4294967295"])
      yield { operation: "getAddressInformation", input: { address, ...(seqno !== undefined && { seqno }) } };
    for (const from of [undefined, 1n, lt, lt + 1n, endLt, 2n ** 63n - 1n])
      for (const archival of [false, true]) {
        const place = from === undefined ? {} : { lt: String(from), hash };
        yield { operation: "getTransactionsStd", input: { address, ...place, archival } };
      }
    for (const shard of ["-9223372036854775808", "4611686018427387904", "1", "-1"])
      for (const selector of [
        ...["0", "1", String(head), String(head + 1), "4294967295"].map((seqno) => ({ seqno })),
        ...["0", "1", String(lt), "9223372036854775807"].map((value) => ({ lt: value })),
        ...["0", "1", "1767225600", "4294967295"].map((unixtime) => ({ unixtime })),
      ])
        yield { operation: "lookupBlock", input: { workchain, shard, ...selector } };
    for (const created_lt of ["1", String(lt), "9223372036854775807"])
      for (const other of workchains) {
        const ends = { source: address, destination: `${other}:${hash}`, created_lt };
        yield { operation: "tryLocateResultTx", input: ends };
        yield { operation: "tryLocateSourceTx", input: ends };
      }
  }
}

test("a folder and lite servers give the same responses, and all servers stay ready", async () => {
  const chain = openChain(testChain);
  const { endLt } = chain.head().block;
  await chain.close();
  await using direct = await startService();
  await using network = await startLiteNetwork(testChain, 2);
  await using wire = await startService(onLiteServers(network.config));
  const { url } = wire;
  await waitForHead(url, head);
  const { different, statuses } = await differences([direct.url, url], Array.from(questions(endLt), httpRequest));
  expect(different).toEqual([]);
  expect(statuses).toEqual({ 200: expect.any(Number), 404: expect.any(Number), 422: expect.any(Number) });
  const address = "UQGrq6urq6urq6urq6urq6urq6urq6urq6urq6urq6urqxU9";
  const account = await resultOf(url, "getAddressInformation", { address });
  expect([account.state, account.balance]).toEqual(["uninitialized", "0"]);
  expect((await serversOf(url)).map(({ state }) => state)).toEqual(["ready", "ready"]);
  expect((await ask(url, "getMasterchainInfo")).status).toBe(200);
});
