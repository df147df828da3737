/** Programs that make one call, each with the client that it is written for. */

/** A client and the program that makes one call with it. */
export interface Subject {
  name: string;
  about: string;
  program: string;
}

export const ours: readonly Subject[] = [
  {
    name: "@chain-query/client",
    about: "everything of the main entry",
    program: `import { createClient } from "@chain-query/client";
createClient({ baseUrl: "https://node.example" }).getMasterchainInfo().then(console.log);`,
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

export const peers: readonly Subject[] = [
  {
    name: `openapi-fetch ${peerVersions["openapi-fetch"]}`,
    about: "no retry, limiter, error classes or pages",
    program: `import createClient from "openapi-fetch";
createClient({ baseUrl: "https://node.example" }).GET("/api/v2/getMasterchainInfo").then(console.log);`,
  },
  {
    name: `ky ${peerVersions["ky"]}`,
    about: "retry and timeout; a generic client",
    program: `import ky from "ky";
ky.get("https://node.example/api/v2/getMasterchainInfo").json().then(console.log);`,
  },
  {
    name: `@octokit/core ${peerVersions["@octokit/core"]}`,
    about: "with its plugins for retry, throttling and pages",
    program: `import { Octokit } from "@octokit/core";
import { paginateRest } from "@octokit/plugin-paginate-rest";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
const Client = Octokit.plugin(retry, throttling, paginateRest);
new Client({ throttle: { onRateLimit: () => true, onSecondaryRateLimit: () => true } }).request("GET /").then(console.log);`,
  },
  {
    name: `openai ${peerVersions["openai"]}`,
    about: "a generated client of another API",
    program: `import OpenAI from "openai";
new OpenAI({ apiKey: "key" }).models.list().then(console.log);`,
  },
  {
    name: `@ton/ton ${peerVersions["@ton/ton"]}`,
    about: "TonClient; polyfills of Node.js not counted",
    program: `import { TonClient } from "@ton/ton";
new TonClient({ endpoint: "https://node.example/api/v2/jsonRPC" }).getMasterchainInfo().then(console.log);`,
  },
];
