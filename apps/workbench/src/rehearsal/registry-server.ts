/** The process of the registry: Verdaccio, from the folder that it is installed in, until its parent is gone. */
import { createRequire } from "node:module";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";

const [installedIn = "", config = ""] = process.argv.slice(2);
const { runServer }: { runServer: (config: unknown) => Promise<Server> } = createRequire(join(installedIn, "package.json"))(
  "verdaccio",
);
const server = await runServer(JSON.parse(config));
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.once("disconnect", () => process.exit());
