/** Builds the playground: its page, its scripts, and the service worker of the mock in the page. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { info } from "@chain-query/openapi/operations";
import { bundled, hashedAsset, styleTargets } from "../site/assets.ts";
import { servicePath } from "../site/options.ts";
import type { SiteFile, SitePart } from "../site/page.ts";
import { playgroundOperations } from "./operations.ts";
import { playgroundPage } from "./page.ts";

const inPageFolder = fileURLToPath(new URL("../in-page/", import.meta.url));

/** Returns the page of the playground and its files. */
export async function buildPlayground(): Promise<SitePart> {
  const { script, mock, style } = await playgroundAssets();
  const page = playgroundPage({
    operations: playgroundOperations(),
    baseUrl: info.baseUrl,
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
    // Empty in the build: no service is selected. `serveDocs` answers this path with its own.
    { path: servicePath, content: "{}\n" },
  ];
  return { pages: [page], files };
}

async function playgroundAssets(): Promise<{ script: SiteFile; mock: SiteFile; style: SiteFile }> {
  const [script, mock, style] = await Promise.all([
    bundled({ entryPoints: [`${inPageFolder}playground/main.ts`] }),
    bundled({
      // A classic script exports nothing, so this entry sets a global.
      stdin: {
        resolveDir: inPageFolder,
        contents: `import { startInBrowserMock } from "./mock/start.ts"; globalThis.startInBrowserMock = startInBrowserMock;`,
      },
    }),
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
