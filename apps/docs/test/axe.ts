/** What axe-core finds wrong with a page for readers who use a keyboard, a screen reader or a strong contrast. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { BrowserContext, Page } from "playwright-core";

const script = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Brings axe-core into all pages of a context, and into their frames, past their policies. */
export async function bringAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: script });
}

/** All violations of whatever impact, as lines that name the rule and the element. `except` names rules that do not count. */
export async function violationsOf(page: Page, except: readonly string[] = []): Promise<string[]> {
  const rules = Object.fromEntries(except.map((id) => [id, { enabled: false }]));
  const { violations }: AxeResults = await page.evaluate(
    `axe.run(document, ${JSON.stringify({ resultTypes: ["violations"], rules })})`,
  );
  return violations.flatMap(({ id, impact, nodes }) => nodes.map(({ target, html }) => `${impact} ${id}: ${target} ${html}`));
}
