/** The service that the site is configured with, for the playground and the samples. */

/** The base URL in the samples of the build: that of a mock on the reader's machine. */
export const shownBaseUrl = "http://127.0.0.1:4010";

/** Resolves to the base URL of the service, without a trailing slash; undefined if the site has no service. */
export async function configuredUrl(): Promise<string | undefined> {
  // The link to the start of the site is on every page.
  const start = document.querySelector<HTMLAnchorElement>("a.brand")?.href;
  if (start === undefined) return undefined;
  try {
    const response = await fetch(new URL("playground/service.json", start));
    const { baseUrl } = (await response.json()) as { baseUrl?: unknown };
    return typeof baseUrl === "string" ? new URL(baseUrl, response.url).href.replace(/\/+$/, "") : undefined;
  } catch {
    return undefined;
  }
}
