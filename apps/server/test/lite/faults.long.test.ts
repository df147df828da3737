/** Faults of lite servers in processes of their own. */
import { once } from "node:events";
import { startLiteServers } from "../fixtures/lite-servers.ts";
import { compareWithFaults } from "./faults.ts";

compareWithFaults(1500, async (chain, count) => {
  const network = await startLiteServers(chain, count);
  return {
    ...network,
    async kill(index) {
      const child = network.servers[index]?.child;
      if (child === undefined) throw new Error(`there is no server ${index}`);
      const closed = once(child, "close");
      child.kill("SIGKILL");
      await closed;
    },
  };
});
