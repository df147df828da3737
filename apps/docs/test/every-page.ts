/** Checks of every page and its dialogs: no errors, no requests to other sites, no overflow, no violation found by axe-core. */
import type { operations } from "@chain-query/openapi/operations";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type AxeOptions,
  docsUrl,
  expectReachedByTab,
  reading,
  routeOf,
  screenshots,
  takenOver,
  violationsOf,
} from "./browsing.ts";
import { send } from "./playground-playing.ts";

interface Form {
  colorScheme: "light" | "dark";
  width: number;
}
/**
 * Violations and layout depend on the width or the colours, but hardly on both, so that two of four forms get the full check. One page of
 * each layout gets both, and the others get one of them, in turns: they differ in their texts.
 */
const wide: Form = { colorScheme: "light", width: 1440 };
const narrow: Form = { colorScheme: "dark", width: 360 };
const forms = [wide, narrow];

/** A dialog, a menu or a response. The states of a page follow each other. */
interface PageState {
  name: string;
  open: (page: Page) => Promise<void>;
  close?: (page: Page) => Promise<void>;
  /** Short tests check only this element, and only in this form. */
  within: string;
  short: Form;
  /** It exists only on phones. */
  isNarrow?: true;
  /** Rules of axe-core that do not apply. */
  except?: readonly string[];
}

const pressEscape = (page: Page): Promise<void> => page.keyboard.press("Escape");
const states: Readonly<Record<string, readonly PageState[]>> = {
  "guides/testing/": [
    {
      name: "pages",
      within: "#pages",
      short: narrow,
      isNarrow: true,
      open: (page) => page.getByRole("button", { name: "Guides: all pages" }).click(),
    },
    {
      name: "search",
      within: "dialog.search",
      short: wide,
      open: async (page) => {
        await page.getByRole("button", { name: "Search" }).click();
        await page.getByRole("searchbox", { name: "Words to search for" }).fill("block");
        await page.locator("dialog.search").getByText("lookupBlock").first().waitFor();
      },
    },
  ],
  "playground/": [
    {
      name: "playground-response",
      within: "main",
      short: narrow,
      open: async (page) => {
        await page.getByLabel("Operation").selectOption("lookupBlock");
        expect(await send(page)).toContain("200 OK");
      },
    },
    {
      name: "playground-refusal",
      within: "main",
      short: wide,
      open: async (page) => {
        await page.getByLabel("Operation").selectOption("getConsensusBlock");
        await page.getByLabel("Example").selectOption("rate-limited");
        expect(await send(page)).toContain("429 Too Many Requests");
        await page.getByText("Headers").click();
      },
    },
  ],
  "reference/#/blocks/lookupblock": [
    {
      name: "reference-search",
      within: "[data-testid=search-dialog]",
      short: wide,
      open: async (page) => {
        await page.keyboard.press("Control+k");
        await page.getByTestId("search-dialog").waitFor();
        await page.keyboard.type("lookupBlock");
        await page.getByTestId("search-dialog").getByText("/api/v2/lookupBlock").first().waitFor();
      },
      close: async (page) => {
        await pressEscape(page);
        await page.getByTestId("search-dialog").waitFor({ state: "hidden" });
      },
      // Redoc's search is not a dialog, decision 214.
      except: ["landmark-no-duplicate-banner", "landmark-unique", "region", "page-has-heading-one"],
    },
    {
      name: "reference-menu",
      within: ".menu-content",
      short: narrow,
      isNarrow: true,
      open: async (page) => {
        await page.getByRole("button", { name: "Open navigation menu" }).click();
        await page.getByTestId("menu-item-label").filter({ hasText: "Blocks" }).first().waitFor();
      },
      except: ["page-has-heading-one"],
    },
  ],
};

/** Pages on which Tab reaches every control, and the heading from which it starts: Redoc removes elements far from the view. */
const headings: Readonly<Record<string, string>> = {
  "": "Read a blockchain node over HTTP",
  "guides/keys-and-limits/": "Keys and limits",
  "playground/": "Playground",
  "reference/": "Chain Query",
  "reference/lookupBlock/": "lookupBlock",
  "reference/#/blocks/lookupblock": "Look up a block",
};

/** Redoc's page takes seconds to check, so that short tests check one operation of it in a second. */
const shortOperation = '[data-section-id="operation/lookupBlock"], [id="blocks/lookupblock"], [id="/blocks/lookupblock"]';

const nameOf = (path: string): string => path.replaceAll(/[^\w.]+/g, "-").replace(/-$/, "") || "landing";

/** Routes of the operations in Redoc. */
export const referencePaths = (shown: readonly (typeof operations)[number][]): string[] =>
  shown.map((operation) => `reference/${routeOf(operation)}`);

async function show(page: Page, { width, colorScheme }: Form): Promise<void> {
  await page.setViewportSize({ width, height: 1000 });
  await page.emulateMedia({ colorScheme });
}

/** Waits for transitions, such as those of Redoc between the colour schemes: half-way colours have less contrast. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(`Promise.all(document.getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().iterations !== Infinity)
    .map(({ finished }) => finished.catch(() => {})))`);
}

async function expectFit(page: Page, form: Form, path: string): Promise<void> {
  const { colorScheme, width } = form;
  await show(page, form);
  const background = colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(14, 19, 27)";
  const shown = (): Promise<string> =>
    page.evaluate("[document.documentElement.scrollWidth, getComputedStyle(document.body).backgroundColor].join()");
  await expect.poll(shown, { message: `${path}, ${colorScheme}, ${width} px` }).toBe(`${width},${background}`);
}

/** Checks pages and their dialogs, by their paths. */
export function checkPages(paths: readonly string[], { isShort = false }: { isShort?: boolean } = {}): void {
  let screenshot: Awaited<ReturnType<typeof screenshots>>;
  beforeAll(async () => {
    screenshot = await screenshots("pages");
  });

  describe("every page", () => {
    test.for(paths)("fits the window in both colour schemes, without violations, and so does what opens: /%s", async (path) => {
      const isLayout = isShort || path in headings;
      const full = isLayout ? forms : [paths.indexOf(path) % 2 === 0 ? wide : narrow];
      await reading(async ({ page, complaints }) => {
        const [address = "", route] = path.split("#");
        const isReference = address === "reference/";
        const isOperation = route !== undefined;
        const photograph = async (name: string, { colorScheme, width }: Form): Promise<void> => {
          await settled(page);
          await screenshot(page, `${name}-${colorScheme}-${width}`, !isReference);
        };
        /** Expects no violation in the form that the page has. */
        const check = async (name: string, form: Form, options: AxeOptions): Promise<void> => {
          await photograph(name, form);
          expect(await violationsOf(page, options), `${name}, ${form.width} px`).toEqual([]);
        };
        await page.goto(`${docsUrl}/${address}`);
        // Redoc removes its title while that is far from the view.
        await page.locator("h1, h2").first().waitFor({ state: "attached" });
        // An address with the route of an operation would lead to its page.
        if (route !== undefined) await page.evaluate(`history.replaceState(null, "", ${JSON.stringify(`#${route}`)})`);
        if (isReference) await takenOver(page);
        const heading = headings[path];
        if (heading !== undefined) {
          await page.getByRole("heading", { name: heading }).first().click();
          await expectReachedByTab(page, isShort && isOperation ? shortOperation : "body");
          // An entry of Redoc's menu shows a tooltip while it has the focus.
          await page.evaluate("document.activeElement.blur()");
        }
        for (const form of forms) {
          await expectFit(page, { ...form, colorScheme: form === wide ? "dark" : "light" }, path);
          await expectFit(page, form, path);
          if (!full.includes(form)) {
            await photograph(nameOf(path), form);
            continue;
          }
          // Redoc removes the title of the page while it is far from the view, decision 214.
          const except = isOperation ? ["page-has-heading-one"] : [];
          const within = isShort && isReference && form === wide ? shortOperation : undefined;
          await check(nameOf(path), form, { except, within });
        }
        for (const { name, open, close, short, isNarrow, except, within } of states[path] ?? []) {
          const checked = isShort || isNarrow ? [short] : forms;
          for (const form of checked) {
            await show(page, form);
            if (form === checked[0]) await open(page);
            await check(name, form, { except, within: isShort ? within : undefined });
          }
          await close?.(page);
        }
        // One state provokes a 429.
        complaints.splice(0, complaints.length, ...complaints.filter((complaint) => !/\b429\b/.test(complaint)));
      });
    });
  });
}
