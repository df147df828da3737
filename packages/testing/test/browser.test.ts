import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findBrowser } from "../src/browser.ts";

test("the browser is the executable that CHROME_PATH names, which must exist", async () => {
  const named = fileURLToPath(import.meta.url);
  expect(await findBrowser(named)).toBe(named);
  await expect(findBrowser("/missing/chrome")).rejects.toThrow("CHROME_PATH is /missing/chrome, which does not exist");
});
