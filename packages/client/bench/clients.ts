/** The compared clients: programs that make one call, and the size of a bundle. */
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** A client and the program that makes one call with it. */
interface BenchClient {
  readonly name: string;
  readonly about: string;
  /** Bundled to measure its size. */
  readonly program: string;
  /** A module whose default export makes the calls of a base URL, to measure their time. */
  readonly calls?: string;
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

/** The dependency that carries the calls, alone. */
export const openapiFetch: BenchClient = {
  name: "openapi-fetch",
  about: "no retry, limiter, error classes or pages",
  program: `import createClient from "openapi-fetch";
createClient({ baseUrl: "https://node.example" }).GET("/api/v2/getMasterchainInfo").then(console.log);`,
  calls: `import createClient from "openapi-fetch";
export default (baseUrl, body) => {
  const client = createClient({ baseUrl });
  return { get: () => client.GET("/api/v2/getMasterchainInfo"), post: () => client.POST("/api/v2/lookupBlock", { body }) };
};`,
};

/** The baseline of the comparison. */
export const bare = `export default (baseUrl, input) => {
  const read = async (response) => JSON.parse(await (await response).text());
  const init = () => ({ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(input) });
  return {
    get: () => read(fetch(baseUrl + "/api/v2/getMasterchainInfo")),
    post: () => read(fetch(baseUrl + "/api/v2/lookupBlock", init())),
  };
};`;

/** Bundles the text of a module for browsers in production; its imports are looked up from a folder. */
export async function bundledSize(contents: string, resolveDir: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    platform: "browser",
    legalComments: "none",
    logLevel: "error",
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
}
