/** Every page: it has no errors, requests nothing else, fits its window, and axe-core finds no violation. */
import { operations } from "@chain-query/openapi/operations";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { routeOf } from "../src/contract/contract.ts";
import { bringAxe, violationsOf } from "./axe.ts";
import { docsUrl, reading, takenOver } from "./browsing.ts";
import { sharedSite } from "./built-site.ts";
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

const paths = (await sharedSite()).documents.map((path) => path.replace(/index\.html$/, "")).sort();
let picture: Awaited<ReturnType<typeof pictures>>;
beforeAll(async () => {
  picture = await pictures("pages");
});

const nameOf = (path: string): string => path.replaceAll(/[^\w.]+/g, "-").replace(/-$/, "") || "landing";

async function expectFit(page: Page, { colorScheme, width }: Form, path: string): Promise<void> {
  const background = colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(14, 19, 27)";
  const shown = (): Promise<string> =>
    page.evaluate("[document.documentElement.scrollWidth, getComputedStyle(document.body).backgroundColor].join()");
  await expect.poll(shown, { message: `${path}, ${colorScheme}` }).toBe(`${width},${background}`);
}

async function readingIn({ colorScheme, width }: Form, read: (page: Page) => Promise<void>): Promise<void> {
  await reading(
    async ({ page }) => {
      await bringAxe(page.context());
      await read(page);
    },
    { colorScheme, viewport: { width, height: 900 } },
  );
}

const isOfClient = (path: string): boolean => path.startsWith("client/");
const parts = [
  { part: "of the client", pages: paths.filter(isOfClient) },
  { part: "besides", pages: paths.filter((path) => !isOfClient(path)) },
];
const cases = forms.flatMap((form) => parts.map((part) => ({ ...form, ...part })));

describe("every page", () => {
  const name = "fits the window in both colour schemes, without violations: $part, $colorScheme, $width px";
  test.for(cases)(name, async ({ pages, ...form }) => {
    const other = form.colorScheme === "light" ? "dark" : "light";
    await readingIn(form, async (page) => {
      for (const path of pages) {
        const isReference = path === "reference/";
        await page.goto(`${docsUrl}/${path}`);
        await page.getByRole("heading", { level: 1 }).first().waitFor();
        if (isReference) await takenOver(page);
        await picture(page, `${nameOf(path)}-${form.colorScheme}-${form.width}`, !isReference);
        await expectFit(page, form, path);
        expect(await violationsOf(page), path).toEqual([]);
        await page.emulateMedia({ colorScheme: other });
        await expectFit(page, { ...form, colorScheme: other }, path);
        await page.emulateMedia({ colorScheme: form.colorScheme });
      }
    });
  });
});

describe("every operation of the reference", () => {
  test.for(forms)("fits the window without violations: $colorScheme, $width px", async (form) => {
    await readingIn(form, async (page) => {
      for (const operation of operations) {
        await page.goto(`${docsUrl}/reference/${routeOf(operation)}`);
        await page.getByRole("heading", { name: operation.summary }).waitFor();
        await picture(page, `reference-${operation.id}-${form.colorScheme}-${form.width}`);
        await expectFit(page, form, operation.id);
        // Redoc removes the title of the page while it is far from the view, decision 214.
        expect(await violationsOf(page, ["page-has-heading-one"]), operation.id).toEqual([]);
      }
    });
  });
});
