/** Screenshots of the pages, for people; not in git. Taken if SCREENSHOTS is set: they take as long as a third of the checks. */
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

/** Removes the screenshots of the last run, and returns a function that takes one if they are wanted. */
export async function pictures(folder: string): Promise<(page: Page, name: string, whole?: boolean) => Promise<void>> {
  if (!process.env["SCREENSHOTS"]) return async () => {};
  const path = fileURLToPath(new URL(`../screenshots/${folder}/`, import.meta.url));
  await rm(path, { recursive: true, force: true });
  return async (page, name, whole = false) => {
    await page.screenshot({ path: `${path}${name}.jpeg`, fullPage: whole, type: "jpeg", quality: 85 });
  };
}
