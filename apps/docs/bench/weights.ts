/** Transferred bytes of a page. */
import type { Browser, CDPSession, Route } from "playwright-core";

/** Bytes over the network, compressed, with headers. */
interface Weights {
  /** Until the first paint. */
  toFirstPaint: number;
  /** Until the network is idle. */
  all: number;
}

/** Resolves at the first paint. */
const firstPaint = `new Promise((resolve, reject) => {
  new PerformanceObserver((entries) => {
    if (entries.getEntriesByName("first-contentful-paint").length > 0) resolve();
  }).observe({ type: "paint", buffered: true });
  setTimeout(() => reject(new Error("expected a first paint without scripts")), 20_000);
})`;

/**
 * Measures a page. It delays scripts until the first paint, so that it rejects for a page that needs them to paint.
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

/** Counts the bytes that a page receives from now on. */
async function counted(session: CDPSession): Promise<() => number> {
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send("Network.enable");
  return () => bytes;
}
