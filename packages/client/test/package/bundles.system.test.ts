import { parse } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, type Platform } from "esbuild";
import { describe, expect, test } from "vitest";
import { bundledSize, ours } from "../../bench/clients.ts";
import * as errors from "../../src/errors.ts";
import type { ChainQueryError } from "../../src/index.ts";

const home = fileURLToPath(new URL("../../", import.meta.url));

/** Bytes, minified and gzipped. Lower them when the code gets smaller. */
const budgets: Record<string, number> = {
  "@chain-query/client": 8_192,
  "@chain-query/client/address": 1_536,
};

describe("the size of an entry point", () => {
  test.for(ours)("of $name is within its budget", async ({ name, program }) => {
    const size = await bundledSize(program, home);
    expect(size).toBeGreaterThan(1_000);
    expect(size).toBeLessThanOrEqual(budgets[name] ?? 0);
  });
});

/**
 * Bytes of what `./verify` loads: at once, where WebCrypto has no Ed25519, and with the first walk over a history, unless the page has the
 * main entry.
 */
const verifyBudgets: Record<string, number> = { stdin: 18_432, ed25519: 4_096, transactions: 1_536 };

test("the size of ./verify, and of what it loads when it is needed, is within its budget", async () => {
  const { outputFiles } = await build({
    stdin: { contents: 'export * from "@chain-query/client/verify";', resolveDir: home },
    ...{ bundle: true, minify: true, splitting: true, format: "esm", target: "es2022", platform: "browser" },
    ...{ outdir: "out", write: false, legalComments: "none", logLevel: "error", chunkNames: "[name]" },
  });
  const sizes = outputFiles.map(({ path, contents }) => [parse(path).name, gzipSync(contents, { level: 9 }).length] as const);
  expect(sizes.map(([name]) => name).sort()).toEqual(Object.keys(verifyBudgets).sort());
  for (const [name, size] of sizes) expect(size, name).toBeLessThanOrEqual(verifyBudgets[name] ?? 0);
});

/** The messages for a missing base URL, a wrong option, a wrong input and a hidden redirect, in a bundle made with the conditions. */
async function complaints(conditions: string[], platform: Platform): Promise<readonly string[]> {
  const contents = `import { createClient } from "@chain-query/client";
let [none, option] = ["none", "none"];
try { createClient({}); } catch (error) { none = [error.code, error.message].join(" "); }
try { createClient({ baseUrl: "https://node.example", timeout: 5 }); } catch (error) { option = error.message; }
const { error } = await createClient({ baseUrl: "https://node.example" }).lookupBlock({ workchain: -1, shard: -1n, seqno: 1.5 }).safe();
const fetch = async () => Response.error();
const redirected = await createClient({ baseUrl: "https://node.example", fetch }).getMasterchainInfo().safe();
export default [none, option, error.message, redirected.error.message];`;
  const options = { bundle: true, write: false, format: "esm", platform, conditions } as const;
  const { outputFiles } = await build({ stdin: { contents, resolveDir: home }, ...options });
  return (await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`)).default;
}

test.for<[name: string, conditions: string[], platform: Platform, isChecked: boolean]>([
  ["a browser in development", ["development"], "browser", true],
  ["a browser in production", ["production"], "browser", false],
  ["a browser, without a mode", [], "browser", false],
  ["Cloudflare Workers", ["workerd", "worker", "production"], "browser", true],
  ["a worker", ["worker", "production"], "browser", true],
  ["an edge function", ["edge-light", "production"], "browser", true],
  ["Node.js", [], "node", true],
])(
  "a bundle for %s has the checks of options and the texts of rejections, or not",
  async ([, conditions, platform, isChecked]) => {
    const [none, option, input, redirect] = await complaints(conditions, platform);
    const url = isChecked ? "must be an absolute http(s) URL, got undefined" : "is not accepted";
    expect(none).toBe(`INVALID_ARGUMENT createClient: baseUrl ${url}`);
    expect(option).toMatch(
      isChecked ? /^createClient: options must be among .*, got timeout; did you mean timeoutMs\?$/ : /^none$/,
    );
    const words = isChecked ? "must be an integer from 1 to 4294967295, got 1.5" : "is not accepted";
    expect(input).toBe(`lookupBlock: seqno ${words}`);
    const seen = "unexpected response to GET https://node.example/api/v2/getMasterchainInfo: HTTP";
    expect(redirect).toBe(
      `getMasterchainInfo: ${isChecked ? `${seen} 0: redirect to no visible Location; set baseUrl to where it leads` : `check baseUrl: ${seen} redirect: no body`}`,
    );
  },
);

const point = { operation: "lookupBlock", attempts: 2 };
const classes = Object.entries(errors).filter(([name]) => /Error$/.test(name)) as [string, typeof ChainQueryError][];

/** A second copy of the package, minified, as another dependency may bring one. */
async function secondCopy(): Promise<typeof errors> {
  const entryPoints = [new URL("../../src/errors.ts", import.meta.url).pathname];
  const { outputFiles } = await build({ entryPoints, bundle: true, minify: true, format: "esm", write: false });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`);
}

test("the tree of errors holds across two copies of the package, one of them minified", async () => {
  const parents: Record<string, string> = {
    BadRequestError: "ApiError",
    AuthenticationError: "ApiError",
    NotFoundError: "ApiError",
    RateLimitError: "ApiError",
    ServerError: "ApiError",
    TimeoutError: "ConnectionError",
  };
  const copy = await secondCopy();
  for (const [name, Class] of classes) {
    const kin = new Set([name, parents[name], "ChainQueryError"]);
    const theirs = copy[name as "ApiError"];
    expect(theirs).not.toBe(Class);
    for (const error of [new Class("x", point), new theirs("x", point)]) {
      expect(error.name).toBe(name);
      for (const [otherName, Other] of classes) {
        expect([name, otherName, error instanceof Other]).toEqual([name, otherName, kin.has(otherName)]);
        expect(error instanceof copy[otherName as "ApiError"]).toBe(kin.has(otherName));
      }
    }
  }
});

/** Bytes of each helper alone, minified and gzipped. Lower them when the code gets smaller. */
const helperBudgets = {
  formatNano: 1_050,
  parseNano: 950,
  messageText: 250,
  // With the walk through a history and the time limits, which a client has too.
  watchTransactions: 3_850,
  withBigints: 1_450,
};

describe("a bundle has of the main entry only", () => {
  test.for(Object.entries(helperBudgets))("%s, within its budget", async ([name, budget]) => {
    const size = await bundledSize(`export { ${name} } from "@chain-query/client";`, home);
    expect(size).toBeLessThanOrEqual(budget);
  });

  test("nothing if no member is used", async () => {
    expect(await bundledSize('import "@chain-query/client";', home)).toBe(await bundledSize("", home));
  });
});
