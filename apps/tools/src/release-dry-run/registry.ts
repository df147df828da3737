/** An empty npm registry on loopback: Verdaccio, which is installed outside of the workspace. */
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import { installed } from "./installed-tools.ts";

/** A running registry. */
export interface Registry extends AsyncDisposable {
  readonly url: string;
  /** Creates a user and resolves to the token. */
  addUser(name: string): Promise<string>;
  /** Resolves to the manifest of a published version, or to undefined. */
  manifest(name: string, version: string): Promise<PublishedManifest | undefined>;
}

/** The members of a published manifest that are read. */
interface PublishedManifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly dist: { readonly tarball: string };
}

/** Which users may publish the packages that match a pattern; the first matching pattern counts. Reading is open to all. */
type PublishRules = Readonly<Record<string, string>>;

/** Starts Verdaccio on a free port with its storage in `folder` and no other registry behind it. */
export async function startRegistry(folder: string, rules: PublishRules, signal: AbortSignal): Promise<Registry> {
  const verdaccio = createRequire(join(await installed("verdaccio", signal), "package.json"))("verdaccio");
  await mkdir(folder, { recursive: true });
  const server: Server & { closeAllConnections(): void } = await verdaccio.runServer({
    storage: join(folder, "storage"),
    self_path: folder,
    auth: { htpasswd: { file: join(folder, "htpasswd"), max_users: 10 } },
    uplinks: {},
    packages: Object.fromEntries(Object.entries(rules).map(([pattern, publish]) => [pattern, { access: "$all", publish }])),
    web: { enable: false },
    log: { type: "stdout", format: "json", level: "fatal" },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    addUser: (name) => addUser(url, name),
    manifest: (name, version) => manifestOf(url, name, version),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function addUser(registry: string, name: string): Promise<string> {
  const response = await fetch(`${registry}-/user/org.couchdb.user:${name}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, password: crypto.randomUUID() }),
  });
  const { token }: { token?: string } = JSON.parse(await response.text());
  if (token === undefined) throw new Error(`the registry made no user ${name}: status ${response.status}`);
  return token;
}

async function manifestOf(registry: string, name: string, version: string): Promise<PublishedManifest | undefined> {
  const response = await fetch(`${registry}${name.replace("/", "%2f")}`);
  if (response.status === 404) return undefined;
  const { versions }: { versions: Record<string, PublishedManifest> } = JSON.parse(await response.text());
  return versions[version];
}
