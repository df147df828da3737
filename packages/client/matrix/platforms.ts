/** The rows of platforms whose fetch, signals and responses are not those of Node.js, by the packages that apps use. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { installed, jest } from "./cache.ts";
import { type Row, run } from "./command.ts";
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
  return Object.entries(platforms).flatMap(([names, source]) =>
    (["node", "browser"] as const).map((platform) => ({
      runtime: "polyfills",
      version: names
        .split(" ")
        .map((name) => polyfills[name as keyof typeof polyfills])
        .join(" "),
      what: `${names}, ${platform}`,
      async prove(signal) {
        const folder = await installed(["polyfills", ...Object.values(polyfills)].join("-"), polyfills, signal);
        const [before, program] = ["before", "program"].map((part) =>
          join(project, `${part}-${names}-${platform}.cjs`.replace(" ", "-")),
        );
        const bundle = (contents: string, resolveDir: string, options: BuildOptions) =>
          build({ stdin: { contents, resolveDir }, bundle: true, format: "cjs", logLevel: "silent", ...options });
        await bundle(source, folder, { platform: "node", outfile: before ?? "" });
        const contents = `import program from "./bundled.js";
program(${platform === "node"}).then((report) => console.log(JSON.stringify(report)));`;
        await bundle(contents, project, { platform, outfile: program ?? "" });
        checkReport(await run(process.execPath, ["--require", before ?? "", program ?? ""], { cwd: project, signal }));
      },
    })),
  );
}

/** Vitest 3 puts the AbortSignal of jsdom beside the fetch of Node.js, which refuses it: its users take that of Node.js. */
const nodesSignals = `import { transferableAbortController } from "node:util";
globalThis.AbortController = transferableAbortController().constructor;
globalThis.AbortSignal = new AbortController().signal.constructor;
`;

/** Vitest with simulated browsers; the modules of the client are loaded by Node.js. */
export function vitestRows(project: string): Row[] {
  return vitests.flatMap((vitest) =>
    ["jsdom", "happy-dom"].map((environment) => ({
      runtime: "vitest",
      version: vitest,
      what: environment,
      async prove(signal) {
        const folder = await installed(
          `vitest-${vitest}-${jsdom}-${happyDom}`,
          { vitest, jsdom, "happy-dom": happyDom },
          signal,
        );
        const [file, before] =
          vitest.startsWith("3.") && environment === "jsdom"
            ? ["nodes-signals.test.mjs", nodesSignals]
            : ["simulated.test.mjs", ""];
        await writeFile(join(project, file), before + (await readFile(join(project, "import.test.mjs"), "utf8")));
        const args = ["run", "--root", project, "--globals", "--environment", environment, file];
        await run(process.execPath, [join(folder, "node_modules/vitest/vitest.mjs"), ...args], { cwd: project, signal });
      },
    })),
  );
}

/** Jest with jsdom, which has no fetch: most projects add that of whatwg-fetch. */
export function jestJsdomRow(project: string): Row {
  return {
    runtime: "jest",
    version: jest,
    what: "jsdom, whatwg-fetch",
    async prove(signal) {
      const packages = { jest, "jest-environment-jsdom": jest, "whatwg-fetch": polyfills["whatwg-fetch"] };
      const folder = await installed(`jest-jsdom-${jest}-${polyfills["whatwg-fetch"]}`, packages, signal);
      const config = JSON.stringify({
        rootDir: project,
        testMatch: ["<rootDir>/require.test.cjs"],
        transform: {},
        testEnvironment: join(folder, "node_modules/jest-environment-jsdom"),
        setupFiles: [join(folder, "node_modules/whatwg-fetch/dist/fetch.umd.js")],
      });
      const args = [join(folder, "node_modules/jest/bin/jest.js"), "--config", config, "--no-cache"];
      await run(process.execPath, args, { cwd: project, signal });
    },
  };
}
