/** The command on lite servers, which reads its list of servers again. */

import { until } from "@chain-query/testing/until";
import { expect, test } from "vitest";
import { resultOf } from "../fixtures/ask.ts";
import { testChain } from "../fixtures/chain.ts";
import { messages, ready, serve } from "../fixtures/lite-command.ts";
import { startLiteNetwork } from "../fixtures/lite-network.ts";
import { temporaryFolder } from "../fixtures/service.ts";

test("reads its file again after a SIGHUP during the start", async () => {
  using folder = temporaryFolder();
  await using network = await startLiteNetwork(testChain, 2);
  network.configure([0]);
  await network.stop(0);
  await using command = serve(folder.path, network.config);
  // The process waits for a head now, before it listens.
  await until(
    () => messages(command),
    (logged) => expect(logged).toContain("lite server failing, will be tried again"),
  );
  network.configure([1]);
  command.child.kill("SIGHUP");
  const url = await command.url;
  await ready(url);
  expect((await resultOf(url, "getMasterchainInfo")).last.seqno).toBe(60);
  const expected = ["lite server connected", "listening"];
  await until(
    () => messages(command),
    (logged) => expect(logged).toEqual(expect.arrayContaining(expected)),
  );
});
