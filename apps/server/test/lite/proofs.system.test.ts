/** Proofs from lite servers are those from the chain in the folder that the servers read. */
import { createClient } from "@chain-query/client";
import { verifying } from "@chain-query/client/verify";
import { openChain } from "@chain-query/local-chain/reader";
import { madeChain } from "@chain-query/local-chain/testing";
import { toRawAddress } from "@chain-query/openapi/address";
import { operations } from "@chain-query/openapi/operations";
import { expect, test } from "vitest";
import { accountsOf } from "../../fuzz/requests.ts";
import { ask, askProof } from "../fixtures/ask.ts";
import { onLiteServers, startLiteNetwork, waitForHead } from "../fixtures/lite-network.ts";
import { trustIn } from "../fixtures/proving-service.ts";
import { chainOptions, startService } from "../fixtures/service.ts";
import { reshardedChain } from "../postgres/indexed-chain.ts";
import { chainRequests, factsOf } from "./chain-requests.ts";

test("proofs of lite servers equal those of the folder, and a client believes them", async () => {
  const folder = await madeChain(reshardedChain);
  await using network = await startLiteNetwork(folder, 2);
  await using direct = await startService({ source: { ...chainOptions, folder }, retention: 172_800 });
  await using lite = await startService(onLiteServers(network.config));
  await waitForHead(lite.url, reshardedChain.steps);
  const [one, other] = await Promise.all(
    [direct, lite].map(({ url }) => askProof(url, "getMasterchainInfo", {}, "proof; key=0")),
  );
  expect(other).toEqual(one);
  const proved = new Set<string>();
  for (const { operation, input } of chainRequests(await factsOf(folder), { count: 200, seed: 1 })) {
    const [expected, got] = await Promise.all(
      [direct, lite].map(async ({ url }) => {
        const { status, headers, body } = await ask(url, operation, input, { prefer: "proof" });
        return { status, applied: headers.get("preference-applied"), proof: "proof" in body && body.proof };
      }),
    );
    expect(got, `${operation} ${JSON.stringify(input)}`).toEqual(expected);
    if (got?.proof) proved.add(operation);
  }
  expect([...proved].sort()).toEqual(operations.map(({ id }) => id).sort());

  const chain = openChain(folder);
  const client = createClient({ baseUrl: lite.url, rateLimit: false });
  const trust = trustIn(chain, { maxTrustAge: "60d" });
  await trust.advance(client);
  const verified = verifying(client, { trust });
  expect((await verified.getMasterchainInfo()).last.seqno).toBe(reshardedChain.steps);
  for (const account of accountsOf(chain).slice(0, 8)) {
    const address = toRawAddress(account);
    const balance = String(chain.account(account)?.balance);
    expect(await verified.getAddressInformation({ address })).toMatchObject({ balance });
  }
  await chain.close();
});
