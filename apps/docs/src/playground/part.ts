/** The playground as a part of the site: its page, its scripts, and the worker that lets the mock in the page answer. */
import { readFile } from "node:fs/promises";
import { type Contract, serverUrl } from "../contract/contract.ts";
import { servicePath } from "../site/options.ts";
import type { SitePart } from "../site/page.ts";
import { playgroundOperations } from "./operations.ts";
import { playgroundPage } from "./page.ts";
import { playgroundAssets } from "./scripts.ts";

/** Makes the playground. */
export async function playgroundPart(contract: Contract): Promise<SitePart> {
  const { script, mock, style } = await playgroundAssets();
  const operations = playgroundOperations();
  const page = playgroundPage({
    operations,
    baseUrl: serverUrl(contract),
    paths: { script: script.path, mock: mock.path, style: style.path },
  });
  // A worker answers for the pages below its own address, which are those of the playground and no others.
  const worker = await readFile(new URL(import.meta.resolve("msw/mockServiceWorker.js")));
  return {
    pages: [page],
    files: [
      script,
      mock,
      style,
      { path: "playground/mockServiceWorker.js", content: worker },
      { path: servicePath, content: "{}\n" },
    ],
  };
}
