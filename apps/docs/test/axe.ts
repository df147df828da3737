/** Accessibility violations that axe-core finds. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { BrowserContext, Page } from "playwright-core";

const script = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Adds axe-core to all pages and frames of a context; init scripts are not subject to the content security policy. */
export async function bringAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: script });
}

/** All violations, each as a line with rule and element, except those of the rules in `except`. */
export async function violationsOf(page: Page, except: readonly string[] = []): Promise<string[]> {
  const rules = Object.fromEntries(except.map((id) => [id, { enabled: false }]));
  const { violations }: AxeResults = await page.evaluate(
    `axe.run(document, ${JSON.stringify({ resultTypes: ["violations"], rules })})`,
  );
  return violations.flatMap(({ id, impact, nodes }) => nodes.map(({ target, html }) => `${impact} ${id}: ${target} ${html}`));
}
