/** The scripts of the playground: its form, and the mock in the page, which only those load who use it. */
import { fileURLToPath } from "node:url";
import type { BuildOptions, Plugin } from "esbuild";
import { requestValidators } from "../mock/validators.ts";
import { bundled, hashedAsset, styleTargets } from "../site/assets.ts";
import type { SiteContent } from "../site/page.ts";

const folder = fileURLToPath(new URL("../in-page/", import.meta.url));

/** Bundles both, and their style sheet. */
export async function playgroundAssets(): Promise<{ script: SiteContent; mock: SiteContent; style: SiteContent }> {
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

/** The validators are compiled here, because the policy of the page allows no program that is made in it. */
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

/** Modules whose text is at hand, by their names. */
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
