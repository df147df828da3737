/** Uses the playground like a reader. */
import type { DocumentedExample } from "@chain-query/openapi/operations";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { docsUrl, reading } from "./browsing.ts";

/** Complaints of a browser about responses with an error status. */
const failedResponse = /Failed to load resource: the server responded with a status of [45]\d\d|status [45]\d\d$/;

/** The address of the page. */
export interface Place {
  /** Address of the site, without a trailing slash; default: the served site. */
  base?: string;
  /** A service that the page may request besides the site. */
  service?: string;
}

/** Opens a page of the site. It may request nothing else, and complain of nothing but error statuses, which the tests provoke. */
export async function playing(
  path: string,
  play: (page: Page) => Promise<void>,
  { base = docsUrl, service = base }: Place = {},
): Promise<void> {
  await reading(
    async ({ page, complaints }) => {
      await page.goto(`${base}/${path}`);
      await play(page);
      const others = complaints.filter((complaint) => !failedResponse.test(complaint));
      complaints.splice(0, complaints.length, ...others);
    },
    { inside: [base, service] },
  );
}

/** Sends the form and returns the outcome in words. */
export async function send(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Send" }).click();
  return settled(page);
}

/** Waits for the outcome in words. */
export async function settled(page: Page): Promise<string> {
  const outcome = page.locator(".outcome:is(.success, .failure)");
  await outcome.waitFor();
  return (await outcome.textContent()) ?? "";
}

/** Selects a service by its address. */
export async function choose(page: Page, url: string): Promise<void> {
  await page.getByLabel("Base URL of the service").fill(url);
}

/** The body of the response. */
export async function responseBody(page: Page): Promise<unknown> {
  return JSON.parse((await page.getByLabel("Body of the response").textContent()) ?? "");
}

/** The request as code. */
export async function code(page: Page): Promise<string> {
  return (await page.getByLabel("The request as code").textContent()) ?? "";
}

/** Sends documented requests, and expects their documented responses. */
export async function sendExamples(page: Page, examples: readonly DocumentedExample[]): Promise<void> {
  for (const { operationId, condition, response } of examples) {
    await page.getByLabel("Operation").selectOption(operationId);
    await page.getByLabel("Example").selectOption(condition);
    expect(await send(page), `${operationId}, ${condition}`).toContain(`${response.status} `);
    expect(await responseBody(page)).toEqual(response.body);
  }
}
