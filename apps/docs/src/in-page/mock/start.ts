/**
 * The mock inside the page, which needs no server. Mock Service Worker puts it behind the browser's own `fetch`, so that its requests
 * show in the developer tools. Without a service worker, as on a page from a disk, the page calls it directly.
 */
import { type ApiRequest, type ApiResponse, createResponder, exampleSource, Refusal } from "@chain-query/mock/answering";
import { getResponse, http } from "msw";
import { setupWorker } from "msw/browser";

/** The mock as the playground uses it. */
export interface InBrowserMock {
  /** Without a trailing slash. */
  baseUrl: string;
  fetch: (request: Request) => Promise<Response>;
}

/** Starts the mock for this page, whose folder holds the worker's script. */
export async function startInBrowserMock(): Promise<InBrowserMock> {
  const base = location.protocol === "file:" ? new URL("http://mock.invalid/mock") : new URL("mock", location.href);
  const respond = createResponder({ source: exampleSource });
  const handler = http.all(`${base.href}/*`, async ({ request }) =>
    toResponse(await respond(await readRequest(request, base))),
  );
  const worker = await workerFor(handler);
  return {
    baseUrl: base.href,
    fetch: async (request) =>
      worker ? fetch(request) : ((await getResponse([handler], request)) ?? Promise.reject(new Error("no handler answers"))),
  };
}

/** Reads a request whose path begins with that of the mock's base URL. */
async function readRequest(request: Request, base: URL): Promise<ApiRequest> {
  const { pathname, searchParams } = new URL(request.url);
  const text = await request.text();
  return {
    method: request.method,
    path: pathname.slice(base.pathname.length),
    query: Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, oneOrAll(searchParams.getAll(name))])),
    headers: Object.fromEntries(request.headers),
    size: text.length,
    client: "page",
    ...(text === "" ? {} : parseBody(text)),
  };
}

function oneOrAll(values: string[]): string | string[] {
  const [first, ...others] = values;
  return first !== undefined && others.length === 0 ? first : values;
}

function parseBody(text: string): Pick<ApiRequest, "body" | "refusal"> {
  try {
    return { body: JSON.parse(text) };
  } catch {
    return { refusal: new Refusal(422, "body: not JSON, expected one JSON object") };
  }
}

function toResponse({ status, headers, body }: ApiResponse): Response {
  return Response.json(body, { status, headers });
}

/** Whether a service worker hands the page's requests to the handler. */
async function workerFor(handler: ReturnType<typeof http.all>): Promise<boolean> {
  if (location.protocol === "file:" || !("serviceWorker" in navigator)) return false;
  try {
    await setupWorker(handler).start({
      quiet: true,
      onUnhandledFrame: "bypass",
      serviceWorker: { url: new URL("mockServiceWorker.js", location.href).href },
    });
    // A page that was reloaded with Shift stays without a worker.
    return navigator.serviceWorker.controller !== null;
  } catch {
    return false;
  }
}
