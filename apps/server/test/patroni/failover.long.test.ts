/** A PostgreSQL cluster whose leader changes and fails. The guide has the times that the tests print. */
import { until } from "@chain-query/testing/until";
import { describe, expect, test } from "vitest";
import { ask } from "../fixtures/ask.ts";
import { busiestOf } from "../fixtures/chain.ts";
import { changeLeaders, freezeLeader, killLeader, loseBlocks, sharedDeployment } from "./leader-changes.ts";

const times = 5;

describe.for(["synchronous", "asynchronous"] as const)("with %s replicas", (mode) => {
  const deployed = sharedDeployment({ settings: { synchronous_mode: mode === "synchronous" } });

  test("the leader is changed by a switchover", async (context) => {
    const deployment = deployed(context);
    const { lostKeys } = await changeLeaders(deployment, { name: `${mode}, switchover`, times }, () =>
      deployment.cluster.switchover(),
    );
    expect(lostKeys).toBe(0);
  });

  test("the leader is killed, and comes back as a replica", async (context) => {
    const deployment = deployed(context);
    const { lostKeys } = await changeLeaders(deployment, { name: `${mode}, kill -9`, times }, () => killLeader(deployment));
    if (mode === "synchronous") expect(lostKeys).toBe(0);
  });

  // With a synchronous replica, Patroni 3.0 does not choose one again: "Synchronous replication key updated by someone else".
  if (mode === "synchronous") return;
  test("the leader is frozen, and continues as a replica", async (context) => {
    const deployment = deployed(context);
    await changeLeaders(deployment, { name: `${mode}, frozen`, times: 2 }, () => freezeLeader(deployment));
  });

  test("the new leader lacks the last blocks until the indexer has written them again", async (context) => {
    const deployment = deployed(context);
    const { headers, chain, start, instances } = deployment;
    const [address] = await busiestOf(chain, 1);
    await changeLeaders(deployment, { name: `${mode}, kill -9 with lost blocks`, times: 1 }, () =>
      loseBlocks(deployment, async () => {
        await using added = await start();
        const readiness = async (): Promise<string> => (await fetch(`${added.url}/readyz`)).text();
        await until(async () => (await readiness()).includes("Redis has a newer head than the databases") || undefined);
        for (const { url } of [added, ...instances.slice(0, 3)]) {
          const { status, body } = await ask(url, "getAddressInformation", { address }, headers);
          expect([status, body.error]).toEqual([504, "the databases of this service do not have the newest block yet"]);
        }
      }),
    );
  });
});
