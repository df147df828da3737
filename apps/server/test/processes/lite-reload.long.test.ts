/** A reload to lite servers that do not answer, which waits for a timeout of ten seconds. */
import { until } from "@chain-query/testing/until";
import { expect, test } from "vitest";
import { resultOf } from "../fixtures/ask.ts";
import { testChain } from "../fixtures/chain.ts";
import { kept, messages, ready, serve, serversOf } from "../fixtures/lite-command.ts";
import { startLiteNetwork } from "../fixtures/lite-network.ts";
import { temporaryFolder } from "../fixtures/service.ts";

test("keeps the old servers if the new ones do not answer", async () => {
  using folder = temporaryFolder();
  await using network = await startLiteNetwork(testChain, 2);
  network.configure([0]);
  await using command = serve(folder.path, network.config);
  const url = await command.url;
  await ready(url);
  const names = async () => (await serversOf(url)).map(({ name }) => name);
  const old = await names();
  await network.stop(1);
  network.configure([1]);
  command.child.kill("SIGHUP");
  await until(() => messages(command).includes(kept) || undefined);
  expect(command.log().filter(({ msg }) => msg === kept)).toMatchObject([
    { reason: "no masterchain block of its servers is accepted within 10 s: 1 failing" },
  ]);
  expect(await names()).toEqual(old);
  expect((await resultOf(url, "getMasterchainInfo")).last.seqno).toBe(60);
});
