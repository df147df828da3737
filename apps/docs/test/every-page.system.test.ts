/** Every page in each of its forms: it complains of nothing, asks nobody else, fits its window, and axe-core finds no fault in it. */
import { operations } from "@chain-query/openapi/operations";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { routeOf } from "../src/contract/contract.ts";
import { bringAxe, violationsOf } from "./axe.ts";
import { docsUrl, reading } from "./browsing.ts";
import { sharedSite } from "./built-site.ts";
import { pictures } from "./pictures.ts";
import { takenOver } from "./taken-over.ts";

interface Form {
  colorScheme: "light" | "dark";
  width: number;
}
/** In these a page is looked at closely, because what axe-core and a picture show depends on width or mode, but hardly on both. */
const closely: Form[] = [
  { colorScheme: "light", width: 1440 },
  { colorScheme: "dark", width: 360 },
];
const besides: Form[] = [
  { colorScheme: "dark", width: 1440 },
  { colorScheme: "light", width: 360 },
];

const paths = (await sharedSite()).documents.map((path) => path.replace(/index\.html$/, "")).sort();
let picture: Awaited<ReturnType<typeof pictures>>;
beforeAll(async () => {
  picture = await pictures("pages");
});

const nameOf = (path: string): string => path.replaceAll(/[^\w.]+/g, "-").replace(/-$/, "") || "landing";
const widthOf = (page: Page): Promise<number> => page.evaluate("document.documentElement.scrollWidth");
const backgroundOf = (page: Page): Promise<string> => page.evaluate("getComputedStyle(document.body).backgroundColor");

const fits = async (page: Page, { colorScheme, width }: Form, path: string): Promise<void> => {
  expect(await widthOf(page), path).toBe(width);
  expect(await backgroundOf(page), path).toBe(colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(14, 19, 27)");
};

async function readingIn(form: Form, read: (page: Page) => Promise<void>): Promise<void> {
  const options = { colorScheme: form.colorScheme, viewport: { width: form.width, height: 900 } };
  await reading(({ page }) => read(page), options);
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${docsUrl}/${path}`);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
}

describe("every page", () => {
  test.for(besides)("is whole and fits the window: $colorScheme, $width px", async (form) => {
    await readingIn(form, async (page) => {
      for (const path of paths) {
        await open(page, path);
        await fits(page, form, path);
      }
    });
  });

  test.for(closely)("is whole, fits the window and has no fault that axe-core finds: $colorScheme, $width px", async (form) => {
    await readingIn(form, async (page) => {
      await bringAxe(page.context());
      for (const path of paths) {
        const isReference = path === "reference/";
        await open(page, path);
        if (isReference) await takenOver(page);
        await picture(page, `${nameOf(path)}-${form.colorScheme}-${form.width}`, !isReference);
        await fits(page, form, path);
        expect(await violationsOf(page), path).toEqual([]);
      }
    });
  });
});

describe("every operation of the reference", () => {
  test.for(closely)("fits the window and has no fault that axe-core finds: $colorScheme, $width px", async (form) => {
    await readingIn(form, async (page) => {
      await bringAxe(page.context());
      for (const operation of operations) {
        await page.goto(`${docsUrl}/reference/${routeOf(operation)}`);
        await page.getByRole("heading", { name: operation.summary }).waitFor();
        await picture(page, `reference-${operation.id}-${form.colorScheme}-${form.width}`);
        await fits(page, form, operation.id);
        // What is far from where a reader is, the title at the top too, Redoc takes away until it is near again.
        expect(await violationsOf(page, ["page-has-heading-one"]), operation.id).toEqual([]);
      }
    });
  });
});
