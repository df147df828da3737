/** Lite servers in processes of their own, over a chain with more accounts. */
import { test } from "vitest";
import { busiestAddress, copyChain } from "../fixtures/chain.ts";
import { startLiteServers } from "../fixtures/lite-servers.ts";
import { temporaryFolder } from "../fixtures/service.ts";
import { validateOnLiteServers } from "./live.ts";

test("a service passes every live check while blocks are made", async () => {
  using folder = temporaryFolder();
  const accounts = [busiestAddress(0), busiestAddress()];
  await validateOnLiteServers(copyChain(folder.path), accounts, 100, startLiteServers);
});
