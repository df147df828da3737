/** Pages in a real browser that can reach nothing but the site. */
import { findBrowser, quietFlags } from "@chain-query/browser";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

/** Starts one. No name resolves in it, so that even what the browser asks for on its own account goes nowhere. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await findBrowser(),
    args: [...quietFlags, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
  });
}

/** What is seen while a page is read. */
export interface Reading {
  page: Page;
  /** Requests that left the site; each was refused. */
  outside: string[];
  /** What the page complained of: errors and warnings on the console, exceptions, files that failed to load. */
  complaints: string[];
}

/**
 * Opens a page whose every request is checked, reads in it, and expects that it neither left the site nor complained.
 *
 * @param inside addresses that a page may ask, by how they begin
 */
export async function reading(
  browser: Browser,
  inside: string | readonly string[],
  read: (reading: Reading) => Promise<void>,
  options: BrowserContextOptions = {},
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, ...options });
  try {
    const page = await context.newPage();
    const seen: Reading = { page, outside: [], complaints: [] };
    const isInside = (url: string): boolean =>
      [inside].flat().some((base) => url.startsWith(base)) || /^(data|blob):/.test(url);
    context.on("request", (request) => {
      if (!isInside(request.url())) seen.outside.push(request.url());
    });
    context.on("requestfailed", (request) => {
      // What the browser itself gives up, as the icon of a page that it leaves, did not fail.
      const reason = request.failure()?.errorText ?? "";
      if (reason !== "net::ERR_ABORTED") seen.complaints.push(`${request.url()} failed: ${reason}`);
    });
    context.on("response", (response) => {
      if (response.status() >= 400) seen.complaints.push(`${response.url()} answered ${response.status()}`);
    });
    context.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) seen.complaints.push(message.text());
    });
    context.on("weberror", (error) => seen.complaints.push(String(error.error())));
    await context.route("**", (route) => (isInside(route.request().url()) ? route.continue() : route.abort()));
    await read(seen);
    expect(seen.outside).toEqual([]);
    expect(seen.complaints).toEqual([]);
  } finally {
    await context.close();
  }
}
