/** The addresses of all operations in Redoc. */
import { operations } from "@chain-query/openapi/operations";
import { test } from "vitest";
import { docsUrl, expectAddresses, reading, takenOver } from "./browsing.ts";

test.for([1280, 390])("the addresses of Redoc lead to each operation at %i px while the page is open", async (width) => {
  await reading(
    async ({ page }) => {
      await page.goto(`${docsUrl}/reference/`);
      await takenOver(page);
      await expectAddresses(page, operations);
    },
    { width },
  );
});
