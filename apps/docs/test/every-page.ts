/** What holds for every page: it has no errors, requests nothing else, fits its window, and axe-core finds no violation. */
import type { operations } from "@chain-query/openapi/operations";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { routeOf } from "../src/contract/contract.ts";
import { violationsOf } from "./axe.ts";
import { docsUrl, reading, takenOver } from "./browsing.ts";
import { pictures } from "./pictures.ts";

interface Form {
  colorScheme: "light" | "dark";
  width: number;
}
/** Violations and layout depend on the width or the colours, but hardly on both, so that two of four forms get the full check. */
const forms: Form[] = [
  { colorScheme: "light", width: 1440 },
  { colorScheme: "dark", width: 360 },
];

const nameOf = (path: string): string => path.replaceAll(/[^\w.]+/g, "-").replace(/-$/, "") || "landing";

async function expectFit(page: Page, { colorScheme, width }: Form, path: string): Promise<void> {
  const background = colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(14, 19, 27)";
  const shown = (): Promise<string> =>
    page.evaluate("[document.documentElement.scrollWidth, getComputedStyle(document.body).backgroundColor].join()");
  await expect.poll(shown, { message: `${path}, ${colorScheme}` }).toBe(`${width},${background}`);
}

/** Checks pages, by their paths, and the reference of operations. */
export function checkPages(paths: readonly string[], shownOperations: readonly (typeof operations)[number][]): void {
  let picture: Awaited<ReturnType<typeof pictures>>;
  beforeAll(async () => {
    picture = await pictures("pages");
  });

  describe.for(forms)("every page, $colorScheme, $width px", (form) => {
    const { colorScheme, width } = form;
    const other = colorScheme === "light" ? "dark" : "light";

    test.for(paths)("fits the window in both colour schemes, without violations: /%s", async (path) => {
      await reading(async ({ page }) => {
        const isReference = path === "reference/";
        await page.goto(`${docsUrl}/${path}`);
        await page.getByRole("heading", { level: 1 }).first().waitFor();
        if (isReference) await takenOver(page);
        await picture(page, `${nameOf(path)}-${colorScheme}-${width}`, !isReference);
        await expectFit(page, form, path);
        expect(await violationsOf(page)).toEqual([]);
        await page.emulateMedia({ colorScheme: other });
        await expectFit(page, { width, colorScheme: other }, path);
        await page.emulateMedia({ colorScheme });
      }, form);
    });

    test.for(shownOperations)("fits the window without violations: $id in the reference", async (operation) => {
      await reading(async ({ page }) => {
        await page.goto(`${docsUrl}/reference/${routeOf(operation)}`);
        await page.getByRole("heading", { name: operation.summary }).waitFor();
        await picture(page, `reference-${operation.id}-${colorScheme}-${width}`);
        await expectFit(page, form, operation.id);
        // Redoc removes the title of the page while it is far from the view, decision 214.
        expect(await violationsOf(page, ["page-has-heading-one"])).toEqual([]);
      }, form);
    });
  });
}
