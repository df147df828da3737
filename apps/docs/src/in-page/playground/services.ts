/** Where playground requests go: the mock in this page, or a service at a base URL. */
import type { InBrowserMock } from "../mock/start.ts";
import type { Service } from "./exchange.ts";

declare global {
  /** Defined by the script of the mock. */
  var startInBrowserMock: (() => Promise<InBrowserMock>) | undefined;
}

let started: Promise<InBrowserMock> | undefined;

/** Loads and starts the mock in the page, once. */
export function inBrowserMock(scriptUrl: string): Promise<Service> {
  started ??= loadScript(scriptUrl).then(() => {
    if (globalThis.startInBrowserMock === undefined) throw new Error(`${scriptUrl} did not define startInBrowserMock`);
    return globalThis.startInBrowserMock();
  });
  // After a failure, the next request tries again.
  started.catch(() => {
    started = undefined;
  });
  return started;
}

/** The service at a base URL. Throws if the text is not a base URL. */
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

function loadScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => reject(new Error(`${url} could not be loaded`)));
    document.head.append(script);
  });
}
