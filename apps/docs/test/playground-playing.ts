/** The playground in a real browser: what a reader does there, and what there is to see. */
import type { Browser, Page } from "playwright-core";
import { reading } from "./browsing.ts";

/** What a browser says of an answer that is a failure. */
const refused = /Failed to load resource: the server responded with a status of [45]\d\d|answered [45]\d\d$/;

/** Where it is read. */
export interface Place {
  browser: Browser;
  /** Address of the site, without a trailing slash. */
  base: string;
  /** Whom the page may ask besides the site. */
  service?: string | undefined;
}

/** Reads a page that asks nobody else and complains of nothing but of answers that are failures, which are asked for here. */
export async function playing(
  { browser, base, service }: Place,
  path: string,
  play: (page: Page) => Promise<void>,
): Promise<void> {
  await reading(browser, [base, service ?? base], async ({ page, complaints }) => {
    await page.goto(`${base}/${path}`);
    await play(page);
    const others = complaints.filter((complaint) => !refused.test(complaint));
    complaints.splice(0, complaints.length, ...others);
  });
}

/** Sends the form and gives the words about the answer. */
export async function send(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Send" }).click();
  return settled(page);
}

/** The words about the answer, once there are any. */
export async function settled(page: Page): Promise<string> {
  const outcome = page.locator(".outcome:is(.success, .failure)");
  await outcome.waitFor();
  return (await outcome.textContent()) ?? "";
}

/** Names the service to ask. */
export async function choose(page: Page, url: string): Promise<void> {
  await page.getByLabel("Base URL of the service").fill(url);
}

/** The body of the answer. */
export async function answer(page: Page): Promise<unknown> {
  return JSON.parse((await page.getByLabel("Body of the answer").textContent()) ?? "");
}

/** The request as code. */
export async function code(page: Page): Promise<string> {
  return (await page.getByLabel("The request as code").textContent()) ?? "";
}
