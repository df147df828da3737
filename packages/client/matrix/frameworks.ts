/** The rows of the tools of apps: Jest as CommonJS and as ES modules, Metro and Hermes as React Native uses them, Parcel, and a build of Next.js. */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { end } from "@chain-query/testing/processes";
import { build } from "esbuild";
import { hermes, jest, metro, next, nodes, parcel } from "./cache.ts";
import { type Row, row } from "./command.ts";
import { nodeOf } from "./commands.ts";
import { checkReport } from "./consumer.ts";

/** Jest on the oldest Node.js that `engines` allows: `require()` needs no flag, and ES modules need Jest's own. */
export function jestRows(rootDir: string): Row[] {
  const files = { "require.test.cjs": [], "import.test.mjs": ["--experimental-vm-modules"] };
  return Object.entries(files).map(([file, flags]) =>
    row("jest", jest, file, async (tools) => {
      const node = await nodeOf(nodes[0] ?? "", tools);
      const program = await tools.installed(`jest-${jest}`, { jest }, "jest/bin/jest.js");
      const config = JSON.stringify({ rootDir, testMatch: [`<rootDir>/${file}`], transform: {} });
      const args = ["--no-experimental-require-module", program, "--config", config, "--no-cache"];
      await tools.run(node, [...flags, ...args]);
    }),
  );
}

/** Builds the program as React Native's bundler resolves it, and runs the bundle. */
export function metroRow(project: string): Row {
  return row("metro", metro, "react-native", async ({ installed, node }) => {
    const modules = await installed(`metro-${metro}`, { metro }, "");
    const config = join(project, "metro.config.cjs");
    // React Native's own configuration has these conditions and this transform; its preset would only compile for old engines.
    await writeFile(
      config,
      `module.exports = {
  projectRoot: ${JSON.stringify(project)},
  watchFolders: [${JSON.stringify(dirname(modules))}],
  resolver: { unstable_conditionNames: ["react-native"], useWatchman: false },
  transformer: {
    asyncRequireModulePath: ${JSON.stringify(join(modules, "metro-runtime/src/modules/asyncRequire.js"))},
    getTransformOptions: async () => ({ transform: { experimentalImportSupport: true } }),
  },
  cacheStores: [],
};
`,
    );
    const output = join(project, "metro.bundle.js");
    const args = ["build", "react-native.js", "--config", config, "--out", output, "--platform", "ios", "--dev", "false"];
    await node(join(modules, "metro/src/cli.js"), ...args);
    checkReport(await node(output));
  });
}

/** Compiles the program with the compiler of React Native. Only async generators are left to Babel, whose preset replaces them. */
export function hermesRow(project: string): Row {
  return row("hermes", hermes, "compiles", async ({ installed, run }) => {
    const compilers = await installed(`hermes-${hermes}`, { "hermes-compiler": hermes }, "hermes-compiler/hermesc");
    const outfile = join(project, "hermes.js");
    const supported = { "async-generator": false };
    const entryPoints = [join(project, "react-native.js")];
    await build({ entryPoints, bundle: true, conditions: ["react-native"], mainFields: ["main"], supported, outfile });
    const system = { darwin: "osx-bin", win32: "win64-bin" }[process.platform as string] ?? "linux64-bin";
    await run(join(compilers, system, "hermesc"), ["-emit-binary", "-out", `${outfile}.hbc`, outfile]);
  });
}

/** Builds the program as Parcel does for browsers, and runs the bundle. */
export function parcelRow(project: string): Row {
  return row("parcel", parcel, "browser", async ({ installed, node }) => {
    const program = await installed(`parcel-${parcel}`, { parcel }, "parcel/lib/bin.js");
    // It finds the entry points of packages only with this option.
    const file = join(project, "package.json");
    const manifest: object = JSON.parse(await readFile(file, "utf8"));
    await writeFile(file, JSON.stringify({ ...manifest, "@parcel/resolver-default": { packageExports: true } }));
    const flags = ["--no-cache", "--no-source-maps", "--no-autoinstall"];
    await node(program, "build", "react-native.js", "--dist-dir", "parcel", ...flags);
    checkReport(await node("parcel/react-native.js"));
  });
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
  return row("next", next, "server, client, edge", async ({ installed, run, start, signal }) => {
    const modules = await installed(`next-${next}`, { next, react: "19.3.1", "react-dom": "19.3.1" }, "");
    // Below the folder of Next.js, which resolves no links out of its root.
    const cwd = await mkdtemp(join(modules, "../app-"));
    try {
      for (const [name, text] of Object.entries(app(baseUrl))) {
        await mkdir(dirname(join(cwd, name)), { recursive: true });
        await writeFile(join(cwd, name), text);
      }
      for (const name of ["@chain-query/client", "@chain-query/types", "@chain-query/openapi", "openapi-fetch"])
        await cp(join(project, "node_modules", name), join(cwd, "node_modules", name), { recursive: true });
      const program = join(modules, "next/dist/bin/next");
      const env = { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" };
      await run(process.execPath, [program, "build"], { cwd, env });
      const server = start(process.execPath, [program, "start", "--port", "0", "--hostname", "127.0.0.1"], { cwd, env });
      try {
        const url = await listeningUrl(server.stdout ?? process.stdin);
        const texts = await Promise.all(
          ["/", "/edge"].map((path) => fetch(url + path, { signal }).then((each) => each.text())),
        );
        for (const expected of ["server 840", "client 0:46AD-1", '"consensus_block":840'])
          if (!texts.some((text) => text.includes(expected))) throw new Error(`no ${expected} in:\n${texts.join("\n")}`);
      } finally {
        end(server);
      }
    } finally {
      await rm(cwd, { recursive: true, force: true, maxRetries: 3 });
    }
  });
}

async function listeningUrl(stdout: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(stdout)) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error("Next.js ended before it listened");
}
