/** The rows of platforms whose fetch, signals and responses are not those of Node.js, by the packages that apps use. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { jest } from "./cache.ts";
import { type Row, row } from "./command.ts";
import { checkReport } from "./consumer.ts";

/** React Native has the first two, jsdom in Jest needs the second; xhr2 is the network of both. */
const polyfills = { "abort-controller": "3.0.0", "whatwg-fetch": "3.6.20", "node-fetch": "3.3.2", xhr2: "0.2.1" };
const jsdom = "31.0.1";
const happyDom = "21.0.4";
const vitests: readonly string[] = ["3.2.7", "4.1.12", "5.1.1"];

/** Modules that put the packages in place before the client is loaded, and remove what React Native does not have. */
const platforms: Readonly<Record<string, string>> = {
  "abort-controller whatwg-fetch": `
    new Headers(); // loads Node's own fetch, which needs what is removed here
    const absent = ["fetch", "Request", "Response", "Headers", "ReadableStream", "TextDecoder", "structuredClone", "DOMException"];
    for (const name of absent) delete globalThis[name];
    Object.assign(globalThis, require("abort-controller"), { XMLHttpRequest: require("xhr2"), self: globalThis });
    require("whatwg-fetch");`,
  "node-fetch": `
    const { default: fetch, Headers, Request, Response } = require("node-fetch");
    Object.assign(globalThis, { fetch, Headers, Request, Response });`,
};

/** Each of these platforms with the builds for Node.js and for production, which React Native and browsers take. */
export function polyfillRows(project: string): Row[] {
  return Object.entries(platforms).flatMap(([names, source]) => {
    const versions = names.split(" ").map((name) => polyfills[name as keyof typeof polyfills]);
    return (["node", "browser"] as const).map((platform) =>
      row("polyfills", versions.join(" "), `${names}, ${platform}`, async ({ installed, node }) => {
        const folder = await installed(["polyfills", ...Object.values(polyfills)].join("-"), polyfills, "");
        const fileOf = (part: string) => join(project, `${part}-${names}-${platform}.cjs`.replace(" ", "-"));
        const [before, program] = [fileOf("before"), fileOf("program")];
        const bundle = (contents: string, resolveDir: string, options: BuildOptions) =>
          build({ stdin: { contents, resolveDir }, bundle: true, format: "cjs", logLevel: "silent", ...options });
        await bundle(source, folder, { platform: "node", outfile: before });
        const contents = `import program from "./bundled.js";
program(${platform === "node"}).then((report) => console.log(JSON.stringify(report)));`;
        await bundle(contents, project, { platform, outfile: program });
        checkReport(await node("--require", before, program));
      }),
    );
  });
}

/** Vitest 3 puts the AbortSignal of jsdom beside the fetch of Node.js, which refuses it: its users take that of Node.js. */
const nodesSignals = `import { transferableAbortController } from "node:util";
globalThis.AbortController = transferableAbortController().constructor;
globalThis.AbortSignal = new AbortController().signal.constructor;
`;

/** Vitest with simulated browsers; the modules of the client are loaded by Node.js. */
export function vitestRows(project: string): Row[] {
  return vitests.flatMap((vitest) =>
    ["jsdom", "happy-dom"].map((environment) =>
      row("vitest", vitest, environment, async ({ installed, node }) => {
        const packages = { vitest, jsdom, "happy-dom": happyDom };
        const program = await installed(["vitest", ...Object.values(packages)].join("-"), packages, "vitest/vitest.mjs");
        const isOld = vitest.startsWith("3.") && environment === "jsdom";
        const file = isOld ? "nodes-signals.test.mjs" : "simulated.test.mjs";
        const test = await readFile(join(project, "import.test.mjs"), "utf8");
        await writeFile(join(project, file), (isOld ? nodesSignals : "") + test);
        await node(program, "run", "--root", project, "--globals", "--environment", environment, file);
      }),
    ),
  );
}

/** Jest with jsdom, which has no fetch: most projects add that of whatwg-fetch. */
export function jestJsdomRow(rootDir: string): Row {
  return row("jest", jest, "jsdom, whatwg-fetch", async ({ installed, node }) => {
    const fetch = polyfills["whatwg-fetch"];
    const packages = { jest, "jest-environment-jsdom": jest, "whatwg-fetch": fetch };
    const modules = await installed(`jest-jsdom-${jest}-${fetch}`, packages, "");
    const testEnvironment = join(modules, "jest-environment-jsdom");
    const setupFiles = [join(modules, "whatwg-fetch/dist/fetch.umd.js")];
    const testMatch = ["<rootDir>/require.test.cjs"];
    const config = JSON.stringify({ rootDir, testMatch, transform: {}, testEnvironment, setupFiles });
    await node(join(modules, "jest/bin/jest.js"), "--config", config, "--no-cache");
  });
}
