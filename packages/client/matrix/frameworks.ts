/** The rows of the tools of apps: Jest as CommonJS and as ES modules, Metro and Hermes as React Native uses them, Parcel, and a build of Next.js. */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { hermes, installed, jest, metro, next, nodes, parcel } from "./cache.ts";
import { killGroup, type Row, run, start } from "./command.ts";
import { checkReport } from "./consumer.ts";

/** Jest on the oldest Node.js that `engines` allows: `require()` needs no flag, and ES modules need Jest's own. */
export function jestRows(project: string): Row[] {
  const files = { "require.test.cjs": "", "import.test.mjs": "--experimental-vm-modules" };
  return Object.entries(files).map(([file, flag]) => ({
    runtime: "jest",
    version: jest,
    what: file,
    async prove(signal) {
      const [version = ""] = nodes;
      const node = join(await installed(`node-${version}`, { node: version }, signal), "node_modules/.bin/node");
      const folder = await installed(`jest-${jest}`, { jest }, signal);
      const config = JSON.stringify({ rootDir: project, testMatch: [`<rootDir>/${file}`], transform: {} });
      const args = [join(folder, "node_modules/jest/bin/jest.js"), "--config", config, "--no-cache"];
      await run(node, [...(flag === "" ? [] : [flag]), "--no-experimental-require-module", ...args], { cwd: project, signal });
    },
  }));
}

/** Builds the program as React Native's bundler resolves it, and runs the bundle. */
export function metroRow(project: string): Row {
  return {
    runtime: "metro",
    version: metro,
    what: "react-native",
    async prove(signal) {
      const folder = await installed(`metro-${metro}`, { metro }, signal);
      const config = join(project, "metro.config.cjs");
      // React Native's own configuration has these conditions and this transform; its preset would only compile for old engines.
      await writeFile(
        config,
        `module.exports = {
  projectRoot: ${JSON.stringify(project)},
  watchFolders: [${JSON.stringify(folder)}],
  resolver: { unstable_conditionNames: ["react-native"], useWatchman: false },
  transformer: {
    asyncRequireModulePath: ${JSON.stringify(join(folder, "node_modules/metro-runtime/src/modules/asyncRequire.js"))},
    getTransformOptions: async () => ({ transform: { experimentalImportSupport: true } }),
  },
  cacheStores: [],
};
`,
      );
      const output = join(project, "metro.bundle.js");
      const args = [join(folder, "node_modules/metro/src/cli.js"), "build", "react-native.js", "--config", config];
      await run(process.execPath, [...args, "--out", output, "--platform", "ios", "--dev", "false"], { cwd: project, signal });
      checkReport(await run(process.execPath, [output], { cwd: project, signal }));
    },
  };
}

/** Compiles the program with the compiler of React Native. Only async generators are left to Babel, whose preset replaces them. */
export function hermesRow(project: string): Row {
  return {
    runtime: "hermes",
    version: hermes,
    what: "compiles",
    async prove(signal) {
      const folder = await installed(`hermes-${hermes}`, { "hermes-compiler": hermes }, signal);
      const outfile = join(project, "hermes.js");
      const supported = { "async-generator": false };
      const entryPoints = [join(project, "react-native.js")];
      await build({ entryPoints, bundle: true, conditions: ["react-native"], mainFields: ["main"], supported, outfile });
      const system = { darwin: "osx-bin", win32: "win64-bin" }[process.platform as string] ?? "linux64-bin";
      const compiler = join(folder, "node_modules/hermes-compiler/hermesc", system, "hermesc");
      await run(compiler, ["-emit-binary", "-out", `${outfile}.hbc`, outfile], { cwd: project, signal });
    },
  };
}

/** Builds the program as Parcel does for browsers, and runs the bundle. */
export function parcelRow(project: string): Row {
  return {
    runtime: "parcel",
    version: parcel,
    what: "browser",
    async prove(signal) {
      const folder = await installed(`parcel-${parcel}`, { parcel }, signal);
      // It finds the entry points of packages only with this option.
      const file = join(project, "package.json");
      const manifest: object = JSON.parse(await readFile(file, "utf8"));
      await writeFile(file, JSON.stringify({ ...manifest, "@parcel/resolver-default": { packageExports: true } }));
      const args = [join(folder, "node_modules/parcel/lib/bin.js"), "build", "react-native.js", "--dist-dir", "parcel"];
      await run(process.execPath, [...args, "--no-cache", "--no-source-maps", "--no-autoinstall"], { cwd: project, signal });
      checkReport(await run(process.execPath, ["parcel/react-native.js"], { cwd: project, signal }));
    },
  };
}

/** Files of an app that calls the mock in a server component, a client component and an edge route. */
const app = (baseUrl: string): Readonly<Record<string, string>> => ({
  "package.json": JSON.stringify({ private: true, type: "module" }),
  "next.config.js": 'export default { turbopack: { root: new URL("..", import.meta.url).pathname } };\n',
  "app/layout.jsx": "export default ({ children }) => <html><body>{children}</body></html>;\n",
  "app/chain.js": `import { createClient } from "@chain-query/client";
export const chain = createClient({ baseUrl: ${JSON.stringify(baseUrl)} });\n`,
  "app/page.jsx": `import { chain } from "./chain.js";
import { Address } from "./address.jsx";
export default async function Page() {
  const { last } = await chain.getMasterchainInfo();
  return <p>{"server " + last.seqno}<Address /></p>;
}\n`,
  "app/address.jsx": `"use client";
import { MASTERCHAIN, createClient } from "@chain-query/client";
import { toRawAddress } from "@chain-query/client/address";
import { useState } from "react";
export function Address() {
  const [chain] = useState(() => createClient({ baseUrl: ${JSON.stringify(baseUrl)} }));
  const raw = toRawAddress("EQBGrUEii_AnP5hZHoiupc_ePWFnYhCbBiEiNVq6-Ajlftqi");
  return <button onClick={() => chain.getMasterchainInfo()}>{"client " + raw.slice(0, 6) + MASTERCHAIN}</button>;
}\n`,
  "app/edge/route.js": `import { chain } from "../chain.js";
export const runtime = "edge";
export const GET = async () => Response.json(await chain.getConsensusBlock());\n`,
});

/** Builds the app, whose page calls the mock, then serves it and calls the edge route. */
export function nextRow(project: string, baseUrl: string): Row {
  return {
    runtime: "next",
    version: next,
    what: "server, client, edge",
    async prove(signal) {
      const folder = await installed(`next-${next}`, { next, react: "19.3.1", "react-dom": "19.3.1" }, signal);
      // Below the folder of Next.js, which resolves no links out of its root.
      const cwd = await mkdtemp(join(folder, "app-"));
      try {
        for (const [name, text] of Object.entries(app(baseUrl))) {
          await mkdir(dirname(join(cwd, name)), { recursive: true });
          await writeFile(join(cwd, name), text);
        }
        for (const name of ["@chain-query/client", "@chain-query/types", "@chain-query/openapi", "openapi-fetch"])
          await cp(join(project, "node_modules", name), join(cwd, "node_modules", name), { recursive: true });
        const program = join(folder, "node_modules/next/dist/bin/next");
        const env = { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" };
        await run(process.execPath, [program, "build"], { cwd, signal, env, timeoutMs: 600_000 });
        const server = start(process.execPath, [program, "start", "--port", "0", "--hostname", "127.0.0.1"], {
          cwd,
          signal,
          env,
        });
        try {
          const url = await listeningUrl(server.stdout ?? process.stdin);
          const texts = await Promise.all(
            ["/", "/edge"].map((path) => fetch(url + path, { signal }).then((each) => each.text())),
          );
          for (const expected of ["server 840", "client 0:46AD-1", '"consensus_block":840'])
            if (!texts.some((text) => text.includes(expected))) throw new Error(`no ${expected} in:\n${texts.join("\n")}`);
        } finally {
          killGroup(server);
        }
      } finally {
        await rm(cwd, { recursive: true, force: true, maxRetries: 3 });
      }
    },
  };
}

async function listeningUrl(stdout: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(stdout)) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error("Next.js ended before it listened");
}
