/** The addresses of all operations in the reference. */
import { operations } from "@chain-query/openapi/operations";
import { test } from "vitest";
import { docsUrl, expectAddresses, reading } from "./browsing.ts";

test.for([1280, 390])("lead to each operation at %i px, when the page is opened and while it is open", async (width) => {
  await reading(
    async ({ page }) => {
      await page.goto(`${docsUrl}/reference/#tryLocateSourceTx`);
      await page.getByText("tryLocateSourceTx", { exact: true }).last().waitFor();
      await expectAddresses(page, operations);
    },
    { width },
  );
});
