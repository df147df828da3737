/** Where requests can go: to the mock inside the page, or to an address. */
import type { InBrowserMock } from "../mock/start.ts";
import type { Service } from "./exchange.ts";

declare global {
  /** Set by the script of the mock. */
  var startInBrowserMock: (() => Promise<InBrowserMock>) | undefined;
}

let started: Promise<InBrowserMock> | undefined;

/** Starts the mock in the page, once, from its own script, which only those load who use it. */
export function inBrowserMock(scriptUrl: string): Promise<Service> {
  started ??= load(scriptUrl).then(() => {
    if (globalThis.startInBrowserMock === undefined) throw new Error("the script of the mock did not run");
    return globalThis.startInBrowserMock();
  });
  // A script that did not load may load when it is asked for again.
  started.catch(() => {
    started = undefined;
  });
  return started;
}

/** The service at an address; throws where the text is none. */
export function serviceAt(text: string): Service {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new Error(
      `A base URL begins with http:// or https://, such as http://127.0.0.1:4010; this is ${text.trim() || "empty"}.`,
    );
  }
  if (url.username !== "" || url.password !== "") throw new Error("A base URL has no name and no password in it.");
  return { baseUrl: `${url.origin}${url.pathname}`.replace(/\/+$/, ""), fetch: (request) => fetch(request) };
}

/** The address that whoever serves this site recommends, if any. */
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
