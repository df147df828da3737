/**
 * A mock inside the page, which needs no server: it answers as the mock on a machine does, from the same examples and by the same
 * choice. Mock Service Worker puts it behind the browser's own `fetch`, so that a request to it shows among the requests of the
 * page; where a browser gives no service worker, as for a page that is read from a disk, it is asked directly.
 */
import { answering, answers } from "@chain-query/mock/answering";
import { getResponse, http } from "msw";
import { setupWorker } from "msw/browser";
import type { Validators } from "./complaints.ts";
import { contractWith } from "./contract.ts";
import { questionIn, responseOf } from "./question.ts";

/** The mock as the playground asks it. */
export interface InBrowserMock {
  /** Where it is reached, without a trailing slash. */
  baseUrl: string;
  fetch: (request: Request) => Promise<Response>;
}

const noOverrides = { set(): void {}, clear(): void {}, of: () => undefined };

/** Starts the mock for this page, whose folder holds the worker's script. */
export async function startInBrowserMock(validators: Validators): Promise<InBrowserMock> {
  const base = location.protocol === "file:" ? new URL("http://mock.invalid/mock") : new URL("mock", location.href);
  const respond = answering(answers(contractWith(validators), noOverrides, { dynamic: false, seed: 1 }));
  const handler = http.all(`${base.href}/*`, async ({ request }) => responseOf(await respond(await questionIn(request, base))));
  const worker = await workerFor(handler);
  return {
    baseUrl: base.href,
    fetch: async (request) =>
      worker ? fetch(request) : ((await getResponse([handler], request)) ?? Promise.reject(new Error("nobody answers there"))),
  };
}

/** Whether a service worker now hands the page's requests to the handler. */
async function workerFor(handler: ReturnType<typeof http.all>): Promise<boolean> {
  if (location.protocol === "file:" || !("serviceWorker" in navigator)) return false;
  try {
    await setupWorker(handler).start({
      quiet: true,
      onUnhandledFrame: "bypass",
      serviceWorker: { url: new URL("mockServiceWorker.js", location.href).href },
    });
    // A page that was loaded past all workers, as by Shift and reload, stays without one.
    return navigator.serviceWorker.controller !== null;
  } catch {
    return false;
  }
}
