/** The addresses of operations in the reference. */
import { operations } from "@chain-query/openapi/operations";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { routeOf } from "../src/reference/routes.ts";
import { docsUrl } from "./browsing.ts";

/** Follows the links of the first screen to some operations, then their addresses by id, and expects to see them. */
export async function expectAddresses(page: Page, some: readonly (typeof operations)[number][]): Promise<void> {
  const start = `${docsUrl}/reference/`;
  await page.evaluate('location.hash = "#/"');
  for (const { id } of operations) await page.getByRole("link", { name: id, exact: true }).first().waitFor();
  for (const operation of some) {
    await page.evaluate('location.hash = "#/"');
    await page.getByRole("link", { name: operation.id, exact: true }).first().click();
    await page.getByRole("heading", { name: operation.summary }).waitFor();
    expect(new URL(page.url()).hash).toBe(routeOf(operation));
    await page.getByText(`/api/v2/${operation.id}`).first().waitFor();
  }
  for (const operation of some) {
    await page.evaluate(`location.hash = ${JSON.stringify(operation.id)}`);
    await page.waitForURL(`${start}${routeOf(operation)}`);
    const name = page.locator("#redoc code").getByText(operation.id, { exact: true }).first();
    await expect.poll(async () => (await name.boundingBox())?.y).toSatisfy((y) => y > 0 && y < 700);
  }
}
