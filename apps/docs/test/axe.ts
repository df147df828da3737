/** Accessibility violations that axe-core finds. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const script = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

export interface AxeOptions {
  /** Rules that do not apply. */
  except?: readonly string[] | undefined;
  /** A selector of the element to check; default: the document. */
  within?: string | undefined;
}

/** All violations in a page and its frames, each as a line with rule and element. */
export async function violationsOf(page: Page, { except = [], within }: AxeOptions = {}): Promise<string[]> {
  const rules = Object.fromEntries(except.map((id) => [id, { enabled: false }]));
  // The content security policy does not apply to evaluated scripts.
  for (const frame of page.frames()) await frame.evaluate(`${script}; 0`);
  const context = within === undefined ? "document" : `document.querySelector(${JSON.stringify(within)})`;
  const { violations }: AxeResults = await page.evaluate(
    `axe.run(${context}, ${JSON.stringify({ resultTypes: ["violations"], preload: false, rules })})`,
  );
  return violations.flatMap(({ id, impact, nodes }) => nodes.map(({ target, html }) => `${impact} ${id}: ${target} ${html}`));
}
