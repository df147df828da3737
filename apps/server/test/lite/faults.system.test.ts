/** Faults of lite servers in this process, for a sample of requests. */
import { startLiteNetwork } from "../fixtures/lite-network.ts";
import { compareWithFaults } from "./faults.ts";

compareWithFaults(240, async (chain, count) => {
  const network = await startLiteNetwork(chain, count);
  return { ...network, kill: network.stop };
});
