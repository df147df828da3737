/** Dialogs, menus and answers: a screenshot of each, and no accessibility violations. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { violationsOf } from "./axe.ts";
import { docsUrl, reading, takenOver } from "./browsing.ts";
import { pictures } from "./pictures.ts";
import { send } from "./playground-playing.ts";

let picture: Awaited<ReturnType<typeof pictures>>;
beforeAll(async () => {
  picture = await pictures("opened");
});

interface Scene {
  name: string;
  path: string;
  open: (page: Page) => Promise<void>;
  /** Rules of axe-core that do not apply. */
  except?: readonly string[];
}

const scenes: Scene[] = [
  {
    name: "search",
    path: "guides/testing/",
    open: async (page) => {
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByRole("searchbox", { name: "Words to search for" }).fill("block");
      await page.locator("dialog.search").getByText("lookupBlock").first().waitFor();
    },
  },
  {
    name: "playground-answer",
    path: "playground/?operation=lookupBlock",
    open: async (page) => {
      expect(await send(page)).toContain("200 OK");
    },
  },
  {
    name: "playground-refusal",
    path: "playground/?operation=getConsensusBlock&example=rate-limited",
    open: async (page) => {
      expect(await send(page)).toContain("429 Too Many Requests");
      await page.getByText("Headers").click();
    },
  },
  {
    name: "reference-try-it",
    path: "reference/#lookupBlock",
    open: async (page) => {
      await takenOver(page);
      await page.locator('a[href*="operation=lookupBlock"]').first().click();
      const frame = page.frameLocator(".try-it iframe");
      await frame.getByRole("button", { name: "Send" }).click();
      await frame.locator(".outcome.success").waitFor();
    },
    // The page in the frame has a main element too.
    except: ["landmark-unique"],
  },
  {
    name: "reference-search",
    path: "reference/",
    open: async (page) => {
      await takenOver(page);
      await page.keyboard.press("Control+k");
      await page.getByTestId("search-dialog").waitFor();
      await page.keyboard.type("lookupBlock");
      await page.getByTestId("search-dialog").getByText("/api/v2/lookupBlock").first().waitFor();
    },
    // Redoc's search is not a dialog, decision 214.
    except: ["landmark-no-duplicate-banner", "landmark-unique", "region"],
  },
];

const onPhones: Scene[] = [
  {
    name: "pages",
    path: "guides/testing/",
    open: (page) => page.getByRole("button", { name: "Guides: all pages" }).click(),
  },
  {
    name: "reference-menu",
    path: "reference/",
    open: async (page) => {
      await takenOver(page);
      await page.getByRole("button", { name: "Open navigation menu" }).click();
      await page.getByTestId("menu-item-label").filter({ hasText: "Blocks" }).waitFor();
    },
  },
];

const forms = [
  { colorScheme: "light", width: 1440, shown: scenes },
  { colorScheme: "dark", width: 360, shown: [...scenes, ...onPhones] },
] as const;

describe.for(forms)("what opens, $colorScheme, $width px", ({ colorScheme, width, shown }) => {
  test.for(shown)("$name", async ({ name, path, open, except }) => {
    await reading(
      async ({ page, complaints }) => {
        await page.goto(`${docsUrl}/${path}`);
        await open(page);
        await picture(page, `${name}-${colorScheme}-${width}`);
        expect(await violationsOf(page, except)).toEqual([]);
        // One scene provokes a 429.
        complaints.splice(0, complaints.length, ...complaints.filter((complaint) => !/\b429\b/.test(complaint)));
      },
      { colorScheme, width },
    );
  });
});
