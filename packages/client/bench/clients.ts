/** The compared clients: programs that make one call, clients that other generators make from the contract, and bundle sizes. */

import { createHash } from "node:crypto";
import { access, copyFile, mkdtemp, readFile, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { run } from "../matrix/command.ts";

/** A client and the program that makes one call with it. */
export interface BenchClient {
  name: string;
  about: string;
  /** Bundled to measure its size. */
  program: string;
  /** A module whose default export makes the calls of a base URL, to measure their time. */
  calls?: string;
}

export const ours: readonly BenchClient[] = [
  {
    name: "@chain-query/client",
    about: "everything of the main entry",
    program: `import { createClient } from "@chain-query/client";
createClient({ baseUrl: "https://node.example" }).getMasterchainInfo().then(console.log);`,
    calls: `import { createClient } from "@chain-query/client";
export default (baseUrl, input) => {
  const chain = createClient({ baseUrl });
  return { get: () => chain.getMasterchainInfo(), post: () => chain.lookupBlock(input) };
};`,
  },
  {
    name: "@chain-query/client/address",
    about: "all of its functions",
    program: `export * from "@chain-query/client/address";`,
  },
];

/** Installed into the cache, never into the workspace. */
export const peerVersions: Readonly<Record<string, string>> = {
  "openapi-fetch": "0.17.0",
  "@hey-api/openapi-ts": "0.99.0",
  "@redocly/cli": "2.77.0",
  // Of the two generators before it.
  typescript: "5.9.3",
  ky: "2.1.0",
  "@octokit/core": "7.0.8",
  "@octokit/plugin-retry": "8.1.1",
  "@octokit/plugin-throttling": "11.0.5",
  "@octokit/plugin-paginate-rest": "16.0.0",
  openai: "7.55.0",
  "@ton/ton": "16.3.0",
  "@ton/core": "0.63.1",
  "@ton/crypto": "3.3.0",
};

const named = (name: string, about = name): string => `${about} ${peerVersions[name]}`;

export const peers: readonly BenchClient[] = [
  {
    name: named("openapi-fetch"),
    about: "no retry, limiter, error classes or pages",
    program: `import createClient from "openapi-fetch";
createClient({ baseUrl: "https://node.example" }).GET("/api/v2/getMasterchainInfo").then(console.log);`,
    calls: `import createClient from "openapi-fetch";
export default (baseUrl, body) => {
  const client = createClient({ baseUrl });
  return { get: () => client.GET("/api/v2/getMasterchainInfo"), post: () => client.POST("/api/v2/lookupBlock", { body }) };
};`,
  },
  {
    name: named("@hey-api/openapi-ts"),
    about: "generated: interceptors; no retry, limiter or pages",
    program: `import { getMasterchainInfo } from "./generated/hey-api";
getMasterchainInfo({ baseUrl: "https://node.example" }).then(console.log);`,
    calls: `import { getMasterchainInfo, lookupBlock } from "./generated/hey-api";
import { client } from "./generated/hey-api/client.gen";
export default (baseUrl, body) => {
  client.setConfig({ baseUrl });
  return { get: () => getMasterchainInfo(), post: () => lookupBlock({ body }) };
};`,
  },
  {
    name: `${named("@redocly/cli")} generate-client`,
    about: "generated: retry and timeout; no limiter or pages",
    program: `import { configure, getMasterchainInfo } from "./generated/redocly.ts";
configure({ serverUrl: "https://node.example" });
getMasterchainInfo().then(console.log);`,
    calls: `import { configure, getMasterchainInfo, lookupBlock } from "./generated/redocly.ts";
export default (serverUrl, body) => {
  configure({ serverUrl });
  return { get: () => getMasterchainInfo(), post: () => lookupBlock({ body }) };
};`,
  },
  {
    name: named("ky"),
    about: "retry and timeout; a generic client",
    program: `import ky from "ky";
ky.get("https://node.example/api/v2/getMasterchainInfo").json().then(console.log);`,
    calls: `import ky from "ky";
export default (baseUrl, json) => ({
  get: () => ky.get(baseUrl + "/api/v2/getMasterchainInfo").json(),
  post: () => ky.post(baseUrl + "/api/v2/lookupBlock", { json }).json(),
});`,
  },
  {
    name: named("@octokit/core"),
    about: "size with its plugins for retry, throttling and pages; time without",
    program: `import { Octokit } from "@octokit/core";
import { paginateRest } from "@octokit/plugin-paginate-rest";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
const Client = Octokit.plugin(retry, throttling, paginateRest);
new Client({ throttle: { onRateLimit: () => true, onSecondaryRateLimit: () => true } }).request("GET /").then(console.log);`,
    calls: `import { Octokit } from "@octokit/core";
export default (baseUrl, input) => {
  const client = new Octokit({ baseUrl });
  return { get: () => client.request("GET /api/v2/getMasterchainInfo"), post: () => client.request("POST /api/v2/lookupBlock", input) };
};`,
  },
  {
    name: named("openai"),
    about: "a generated client of another API",
    program: `import OpenAI from "openai";
new OpenAI({ apiKey: "key" }).models.list().then(console.log);`,
    calls: `import OpenAI from "openai";
export default (baseURL, body) => {
  const client = new OpenAI({ apiKey: "key", baseURL });
  return { get: () => client.get("/api/v2/getMasterchainInfo"), post: () => client.post("/api/v2/lookupBlock", { body }) };
};`,
  },
  {
    name: named("@ton/ton"),
    about: "TonClient, JSON-RPC by POST; polyfills of Node.js not counted",
    program: `import { TonClient } from "@ton/ton";
new TonClient({ endpoint: "https://node.example/api/v2/jsonRPC" }).getMasterchainInfo().then(console.log);`,
    calls: `import { TonClient } from "@ton/ton";
export default (baseUrl) => {
  const client = new TonClient({ endpoint: baseUrl + "/api/v2/jsonRPC" });
  return { post: () => client.getMasterchainInfo() };
};`,
  },
];

/** The baseline of the comparison. */
export const bare = `export default (baseUrl, input) => {
  const read = async (response) => JSON.parse(await (await response).text());
  const init = () => ({ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(input) });
  return {
    get: () => read(fetch(baseUrl + "/api/v2/getMasterchainInfo")),
    post: () => read(fetch(baseUrl + "/api/v2/lookupBlock", init())),
  };
};`;

/** Generates the clients once for each contract, and resolves to the folder that holds `generated` and `node_modules`. */
export async function generated(peers: string, signal: AbortSignal): Promise<string> {
  const contract = fileURLToPath(import.meta.resolve("@chain-query/openapi/openapi.json"));
  const hash = createHash("sha256")
    .update(await readFile(contract))
    .digest("hex")
    .slice(0, 12);
  const folder = `${peers}-${hash}`;
  if (
    await access(folder).then(
      () => true,
      () => false,
    )
  )
    return folder;
  const partial = await mkdtemp(`${folder}-partial-`);
  try {
    await copyFile(contract, join(partial, "openapi.json"));
    await symlink(join(peers, "node_modules"), join(partial, "node_modules"));
    const options = { cwd: partial, signal, env: { REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", REDOCLY_TELEMETRY: "off" } };
    const bin = join(peers, "node_modules/.bin");
    await run(
      join(bin, "openapi-ts"),
      ["-i", "openapi.json", "-o", "generated/hey-api", "-c", "@hey-api/client-fetch", "--silent"],
      options,
    );
    await run(join(bin, "redocly"), ["generate-client", "openapi.json", "--output", "generated/redocly.ts"], options);
    await rename(partial, folder);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return folder;
}

/** Bundles the text of a module, whose imports are looked up from a folder. Dependencies on Node.js count as nothing. */
export async function bundledSize(contents: string, resolveDir: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    // Some address Node's modules, which a browser build replaces or leaves out.
    external: ["node:*", "crypto", "http", "https", "util", "stream", "zlib", "fs", "path", "url", "buffer"],
    legalComments: "none",
    logLevel: "error",
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
}
