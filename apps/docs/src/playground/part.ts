/** The playground: its page, its scripts, and the service worker of the mock in the page. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { BuildOptions, Plugin } from "esbuild";
import { type Contract, serverUrl } from "../contract/contract.ts";
import { requestValidators } from "../mock/validators.ts";
import { bundled, hashedAsset, styleTargets } from "../site/assets.ts";
import { servicePath } from "../site/options.ts";
import type { SiteContent, SitePart } from "../site/page.ts";
import { playgroundOperations } from "./operations.ts";
import { playgroundPage } from "./page.ts";

const folder = fileURLToPath(new URL("../in-page/", import.meta.url));

/** Makes the playground. */
export async function playgroundPart(contract: Contract): Promise<SitePart> {
  const { script, mock, style } = await playgroundAssets();
  const page = playgroundPage({
    operations: playgroundOperations(),
    baseUrl: serverUrl(contract),
    paths: { script: script.path, mock: mock.path, style: style.path },
  });
  const files = [
    script,
    mock,
    style,
    // The scope of a service worker is its folder, so that this one serves only the playground.
    {
      path: "playground/mockServiceWorker.js",
      content: await readFile(new URL(import.meta.resolve("msw/mockServiceWorker.js"))),
    },
    { path: servicePath, content: "{}\n" },
  ];
  return { pages: [page], files };
}

async function playgroundAssets(): Promise<{ script: SiteContent; mock: SiteContent; style: SiteContent }> {
  const [script, mock, style] = await Promise.all([
    bundled({ entryPoints: [`${folder}playground/main.ts`] }),
    bundled(mockEntry()),
    bundled({
      entryPoints: [fileURLToPath(new URL("playground.css", import.meta.url))],
      target: styleTargets,
    }),
  ]);
  return {
    script: hashedAsset("playground", "js", script),
    mock: hashedAsset("in-browser-mock", "js", mock),
    style: hashedAsset("playground", "css", style),
  };
}

/** The validators are compiled by the build, because the policy of the page forbids eval. */
function mockEntry(): BuildOptions {
  return {
    stdin: {
      resolveDir: folder,
      contents: `import { startInBrowserMock } from "./mock/start.ts";
import * as bodies from "validators:bodies";
import * as queries from "validators:queries";
globalThis.startInBrowserMock = () => startInBrowserMock({ bodies, queries });`,
    },
    inject: [`${folder}mock/buffer.ts`],
    plugins: [modules({ ...requestValidators() })],
  };
}

/** Resolves `validators:name` to a module with the given text. */
function modules(texts: Readonly<Record<string, string>>): Plugin {
  return {
    name: "validators",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^validators:/ }, ({ path }) => ({ path: path.replace("validators:", ""), namespace: "validators" }));
      onLoad({ filter: /./, namespace: "validators" }, ({ path }) => ({
        contents: texts[path] ?? "",
        loader: "js",
        resolveDir: folder,
      }));
    },
  };
}
