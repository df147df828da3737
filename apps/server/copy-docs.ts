/**
 * Copies the built docs site into dist/docs before the package is packed, so that an installed server has a /docs/. Not a part of `build`:
 * each edit of a guide would rebuild and retest the server.
 */
import { cpSync, existsSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const site = fileURLToPath(new URL("../docs/dist/", import.meta.url));
const copy = fileURLToPath(new URL("dist/docs/", import.meta.url));

if (!existsSync(`${site}index.html`)) throw new Error(`${site} has no index.html; build the docs first: pnpm build`);
rmSync(copy, { recursive: true, force: true });
// The compressed copies are for the local server of the docs: the service leaves compression to its proxy.
cpSync(site, copy, { recursive: true, filter: (path) => !/\.(br|gz)$/.test(path) });
