/** Reading the list of lite servers again, in one process. */
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { createLog } from "../../src/operating/log.ts";
import { type OpenSource, openSource } from "../../src/processes/open-source.ts";
import { until } from "../fixtures/ask.ts";
import { testChain } from "../fixtures/chain.ts";
import { startLiteNetwork } from "../fixtures/lite-network.ts";
import { serviceOptions } from "../fixtures/service.ts";

function openOn(config: string): Promise<OpenSource> {
  const lite = { servers: config, archival: undefined, trust: "proofs", timeout: 10, rate: 1000 } as const;
  const setting = { identity: undefined, sharedFolder: undefined, log: createLog("silent", "test") };
  return openSource({ ...serviceOptions, chain: "", keys: "", lite }, setting, new Registry());
}

test("reloads that overlap leave no connection behind", async () => {
  await using network = await startLiteNetwork(testChain, 1);
  const { source, reload } = await openOn(network.config);
  await Promise.all([reload(), reload(), reload(), reload(), reload()]);
  await source.close();
  await until(() => network.connections(0) === 0 || undefined);
});

test("a source that is closed during a reload, or before, leaves no connection behind", async () => {
  await using network = await startLiteNetwork(testChain, 1);
  const { source, reload } = await openOn(network.config);
  const before = network.connections(0);
  const reloading = reload();
  await until(() => network.connections(0) > before || undefined);
  await source.close();
  await reloading;
  await until(() => network.connections(0) === 0 || undefined);
  await reload();
  await until(() => network.connections(0) === 0 || undefined);
  expect(before).toBe(1);
});
