/** Puts a copy of the built docs into the package, so that a server that was installed from a registry serves them too. */
import { cpSync, existsSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const from = fileURLToPath(new URL("../dist/", import.meta.resolve("@chain-query/docs/serve")));
const to = fileURLToPath(new URL("dist/docs/", import.meta.url));

if (!existsSync(`${from}index.html`)) throw new Error(`${from} holds no index.html; build the docs first: pnpm build`);
rmSync(to, { recursive: true, force: true });
cpSync(from, to, { recursive: true });
