/** Runs the program in Chromium, on a page of another origin than the API. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { findBrowser, quietFlags } from "@chain-query/testing/browser";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { judge } from "./consumer.ts";
import type { Row } from "./rows.ts";

const page = `import program from "./bundled.js";
globalThis.report = program().then(JSON.stringify);
`;

export function chromiumRow(project: string, signal: AbortSignal): Row {
  const row: Row = {
    runtime: "chromium",
    version: "",
    what: "import, bundled",
    async prove() {
      const { outputFiles } = await build({
        stdin: { contents: page, resolveDir: project },
        bundle: true,
        format: "esm",
        target: "es2022",
        write: false,
      });
      const script = outputFiles[0]?.text ?? "";
      const server = createServer(({ url }, answer) => {
        const isScript = url === "/page.js";
        answer.setHeader("content-type", isScript ? "text/javascript" : "text/html");
        answer.end(isScript ? script : '<!doctype html><script type="module" src="page.js"></script>');
      });
      await once(server.listen(0, "127.0.0.1"), "listening");
      const executablePath = await findBrowser();
      signal.throwIfAborted();
      // The matrix handles signals itself, to remove its scratch folder.
      const quiet = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
      const browser = await chromium.launch({ executablePath, args: quietFlags, ...quiet });
      const close = (): void => void browser.close();
      signal.addEventListener("abort", close);
      try {
        row.version = browser.version();
        const tab = await browser.newPage();
        await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
        judge(await tab.evaluate<string>("globalThis.report"));
      } finally {
        signal.removeEventListener("abort", close);
        await browser.close();
        server.close();
        server.closeAllConnections();
      }
    },
  };
  return row;
}
