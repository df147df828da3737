/** A PostgreSQL cluster that instances read through PgBouncer in transaction mode. */
import { expect, test } from "vitest";
import { changeLeaders, killLeader, loseBlocks, sharedDeployment } from "./leader-changes.ts";

const deployed = sharedDeployment({ settings: { synchronous_mode: false }, isPooled: true });

test("the leader is changed by a switchover", async (context) => {
  const deployment = deployed(context);
  const { lostKeys } = await changeLeaders(deployment, { name: "PgBouncer, switchover", times: 2 }, () =>
    deployment.cluster.switchover(),
  );
  expect(lostKeys).toBe(0);
});

test("the leader is killed, and comes back as a replica", async (context) => {
  const deployment = deployed(context);
  await changeLeaders(deployment, { name: "PgBouncer, kill -9", times: 2 }, () => killLeader(deployment));
});

test("the new leader lacks the last blocks until the indexer has written them again", async (context) => {
  const deployment = deployed(context);
  await changeLeaders(deployment, { name: "PgBouncer, kill -9 with lost blocks", times: 1 }, () => loseBlocks(deployment));
});
