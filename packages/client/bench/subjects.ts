/** Programs that make one call, each with the client that it is written for. */

/** A client and the program that makes one call with it. */
export interface Subject {
  name: string;
  about: string;
  /** Bundled to measure its size. */
  program: string;
  /** A module whose default export makes the calls of a base URL, to measure their time. */
  calls?: string;
}

export const ours: readonly Subject[] = [
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

export const peers: readonly Subject[] = [
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

/** What all of them are compared with. */
export const bare = `export default (baseUrl, input) => {
  const read = async (answer) => JSON.parse(await (await answer).text());
  const init = () => ({ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(input) });
  return {
    get: () => read(fetch(baseUrl + "/api/v2/getMasterchainInfo")),
    post: () => read(fetch(baseUrl + "/api/v2/lookupBlock", init())),
  };
};`;
