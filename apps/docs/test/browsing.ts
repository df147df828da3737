/** Pages in the browser that all tests of a run share, each test with a context of its own that reaches nothing but the site. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect, inject } from "vitest";

/** Address of the served site, without a trailing slash. */
export const docsUrl: string = inject("docs");

let connection: Promise<Browser> | undefined;

/** Connects to the browser once for each worker process; the connection ends with the process. */
function sharedBrowser(): Promise<Browser> {
  connection ??= chromium.connect(inject("browser"));
  return connection;
}

/** What is observed while a test uses a page. */
export interface Reading {
  page: Page;
  /** Requests to other origins; each was refused. */
  outside: string[];
  /** Errors and warnings on the console, exceptions, and files that failed to load. */
  complaints: string[];
}

export interface ReadingOptions extends BrowserContextOptions {
  /** Beginnings of the URLs that the page may request; default: the served site. */
  inside?: string | readonly string[];
}

/** Redoc requests this once it runs; the policy of the page refuses it, decision 214. */
const redocLogo = "https://cdn.redoc.ly/redoc/logo-mini";

/** Opens a page, and expects at the end that it requested no other origin and that nothing failed. */
export async function reading(
  use: (reading: Reading) => Promise<void>,
  { inside = docsUrl, ...options }: ReadingOptions = {},
): Promise<void> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, ...options });
  try {
    const page = await context.newPage();
    const seen: Reading = { page, outside: [], complaints: [] };
    const isInside = (url: string): boolean =>
      [inside].flat().some((base) => url.startsWith(base)) || /^(data|blob):/.test(url);
    const complain = (complaint: string): void => {
      if (!complaint.includes(redocLogo)) seen.complaints.push(complaint);
    };
    context.on("request", (request) => {
      if (!isInside(request.url())) seen.outside.push(request.url());
    });
    context.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText ?? "";
      // The policy refused it before it was sent.
      if (reason === "csp") seen.outside.splice(seen.outside.indexOf(request.url()), 1);
      // The browser cancels requests of a page that it leaves.
      if (reason !== "net::ERR_ABORTED") complain(`${request.url()} failed: ${reason}`);
    });
    context.on("response", (response) => {
      if (response.status() >= 400) complain(`${response.url()} answered ${response.status()}`);
    });
    context.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complain(message.text());
    });
    context.on("weberror", (error) => complain(String(error.error())));
    await context.route("**", (route) => (isInside(route.request().url()) ? route.continue() : route.abort()));
    await use(seen);
    expect(seen.outside).toEqual([]);
    expect(seen.complaints).toEqual([]);
  } finally {
    await context.close();
  }
}

/** Makes Redoc take the prerendered reference over, and waits until it answers and has scrolled to the place that the address names. */
export async function takenOver(page: Page): Promise<void> {
  await page.mouse.move(1, 1);
  await page.mouse.move(2, 2);
  await page.getByTestId("page-actions").first().getByRole("button").first().waitFor();
  await page.evaluate(`new Promise((resolve) => {
    let place, since;
    const look = (now) => {
      if (scrollY !== place) [place, since] = [scrollY, now];
      if (now - since < 300) requestAnimationFrame(look);
      else resolve();
    };
    requestAnimationFrame(look);
  })`);
}
