/** Services: the mock in the page, or one at an address. */
import type { InBrowserMock } from "../mock/start.ts";
import type { Service } from "./exchange.ts";

declare global {
  /** Set by the script of the mock. */
  var startInBrowserMock: (() => Promise<InBrowserMock>) | undefined;
}

let started: Promise<InBrowserMock> | undefined;

/** Loads and starts the mock in the page, once. */
export function inBrowserMock(scriptUrl: string): Promise<Service> {
  started ??= load(scriptUrl).then(() => {
    if (globalThis.startInBrowserMock === undefined) throw new Error(`${scriptUrl} did not define startInBrowserMock`);
    return globalThis.startInBrowserMock();
  });
  // Try again at the next request.
  started.catch(() => {
    started = undefined;
  });
  return started;
}

/** The service at an address. Throws if the text is not a base URL. */
export function serviceAt(text: string): Service {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new Error(
      `Base URL: expected http:// or https://, such as http://127.0.0.1:4010, got ${text.trim() || "an empty text"}.`,
    );
  }
  if (url.username !== "" || url.password !== "") throw new Error("Base URL: expected no user name and no password.");
  return { baseUrl: `${url.origin}${url.pathname}`.replace(/\/+$/, ""), fetch: (request) => fetch(request) };
}

/** The service that the server of this site recommends, if any. */
export async function recommendedUrl(): Promise<string | undefined> {
  if (location.protocol === "file:") return undefined;
  try {
    const { baseUrl } = (await (await fetch("service.json")).json()) as { baseUrl?: unknown };
    return typeof baseUrl === "string" ? baseUrl : undefined;
  } catch {
    return undefined;
  }
}

function load(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error(`${url} could not be loaded`)));
    document.head.append(script);
  });
}
