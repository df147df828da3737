/** Accessibility violations that axe-core finds. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const script = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** All violations in a page and its frames, each as a line with rule and element, except those of the rules in `except`. */
export async function violationsOf(page: Page, except: readonly string[] = []): Promise<string[]> {
  const rules = Object.fromEntries(except.map((id) => [id, { enabled: false }]));
  // The content security policy does not apply to evaluated scripts.
  for (const frame of page.frames()) await frame.evaluate(`${script}; 0`);
  const { violations }: AxeResults = await page.evaluate(
    `axe.run(document, ${JSON.stringify({ resultTypes: ["violations"], preload: false, rules })})`,
  );
  return violations.flatMap(({ id, impact, nodes }) => nodes.map(({ target, html }) => `${impact} ${id}: ${target} ${html}`));
}
