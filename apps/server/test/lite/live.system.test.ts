/** Lite servers in this process. */
import { join } from "node:path";
import { copyMadeChain } from "@chain-query/local-chain/testing";
import { test } from "vitest";
import { busiestOf } from "../fixtures/chain.ts";
import { startLiteNetwork } from "../fixtures/lite-network.ts";
import { temporaryFolder } from "../fixtures/service.ts";
import { smallChain } from "../postgres/indexed-chain.ts";
import { validateOnLiteServers } from "./live.ts";

test("two workers pass every live check while blocks are made", async () => {
  using folder = temporaryFolder();
  const chain = join(folder.path, "chain");
  await copyMadeChain(chain, smallChain);
  await validateOnLiteServers(chain, await busiestOf(chain, 4), 5, startLiteNetwork);
});
