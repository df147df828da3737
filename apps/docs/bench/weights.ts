/** What a page costs on the way to its reader. */
import type { Browser, CDPSession, Route } from "playwright-core";

/** Bytes over the wire, packed as they come and with their headers. */
export interface Weights {
  /** What the page has to have before it shows anything. */
  toFirstPaint: number;
  /** All that it loads until it rests. */
  all: number;
}

/** Ends when the page shows something. */
const firstPaint = `new Promise((resolve, reject) => {
  new PerformanceObserver((entries) => {
    if (entries.getEntriesByName("first-contentful-paint").length > 0) resolve();
  }).observe({ type: "paint", buffered: true });
  setTimeout(() => reject(new Error("nothing shows before the scripts have come")), 20_000);
})`;

/**
 * Weighs a page. Its scripts are held back until it shows something, so that it fails, after some seconds, for a page that shows
 * nothing without them.
 *
 * @example
 * const { toFirstPaint } = await weightsOf(browser, `${docs.url}/reference/`);
 */
export async function weightsOf(browser: Browser, url: string): Promise<Weights> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const received = await counted(await context.newCDPSession(page));
    const scripts: Route[] = [];
    let shown = false;
    await page.route("**", async (route) => {
      if (route.request().resourceType() === "script" && !shown) scripts.push(route);
      else await route.continue();
    });
    await page.goto(url, { waitUntil: "commit" });
    await page.evaluate(firstPaint);
    const toFirstPaint = received();
    shown = true;
    for (const route of scripts) await route.continue();
    await page.waitForLoadState("networkidle");
    return { toFirstPaint, all: received() };
  } finally {
    await context.close();
  }
}

/** Counts what a page receives from now on. */
async function counted(session: CDPSession): Promise<() => number> {
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send("Network.enable");
  return () => bytes;
}
