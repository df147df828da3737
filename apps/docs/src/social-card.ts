/** Renders assets/social-card.svg as PNG; run `pnpm social-card` after a change of the drawing. */
import { readFile, writeFile } from "node:fs/promises";
import { findBrowser, quietFlags } from "@chain-query/testing/browser";
import { chromium } from "playwright-core";

const size = { width: 1200, height: 630 };
const drawing = await readFile(new URL("assets/social-card.svg", import.meta.url), "utf8");
const browser = await chromium.launch({ executablePath: await findBrowser(), args: quietFlags });
try {
  const page = await browser.newPage({ viewport: size });
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${drawing}`);
  await writeFile(new URL("assets/social-card.png", import.meta.url), await page.screenshot());
} finally {
  await browser.close();
}
