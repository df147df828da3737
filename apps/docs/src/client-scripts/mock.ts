/**
 * Starts the mock inside the page. A service worker (Mock Service Worker) passes it the page's requests, which therefore show in the
 * developer tools. Without a service worker, as on `file:` pages, the page calls it directly.
 */
import { type ApiRequest, type ApiResponse, createResponder, exampleSource, RequestError } from "@chain-query/mock/responder";
import { operations } from "@chain-query/openapi/operations";
import { parseBody } from "@chain-query/openapi/requests";
import { getResponse, http } from "msw";
import { setupWorker } from "msw/browser";

/** A running mock. */
export interface InBrowserMock {
  /** Without a trailing slash. */
  baseUrl: string;
  fetch: (request: Request) => Promise<Response>;
}

/** Starts the mock. The script of the service worker is in the folder of the page. */
export async function startInBrowserMock(): Promise<InBrowserMock> {
  // The http URL is never requested from the network: without a service worker the mock is called directly.
  const base = location.protocol === "file:" ? new URL("http://mock.invalid/mock") : new URL("mock", location.href);
  const respond = createResponder({ source: exampleSource });
  const handler = http.all(`${base.href}/*`, async ({ request }) =>
    toResponse(await respond(await readRequest(request, base))),
  );
  const hasWorker = await startWorker(handler);
  return {
    baseUrl: base.href,
    fetch: async (request) =>
      hasWorker
        ? fetch(request)
        : ((await getResponse([handler], request)) ?? Promise.reject(new Error("no handler responds"))),
  };
}

/** Converts a request for the mock. Its path is relative to the base URL. */
async function readRequest(request: Request, base: URL): Promise<ApiRequest> {
  const { pathname, searchParams } = new URL(request.url);
  const path = pathname.slice(base.pathname.length);
  const text = await request.text();
  return {
    method: request.method,
    path,
    query: Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, oneOrAll(searchParams.getAll(name))])),
    headers: Object.fromEntries(request.headers),
    size: text.length,
    client: "page",
    ...(text === "" ? {} : bodyOf(text, path)),
  };
}

function oneOrAll(values: string[]): string | string[] {
  const [first, ...others] = values;
  return first !== undefined && others.length === 0 ? first : values;
}

/** As the mock's server reads it. */
function bodyOf(text: string, path: string): Pick<ApiRequest, "body" | "error"> {
  const parsed = parseBody(text, operations.find((operation) => operation.path === path)?.id);
  return parsed.ok ? { body: parsed.body } : { error: new RequestError(422, parsed.problem) };
}

function toResponse({ status, headers, body }: ApiResponse): Response {
  return Response.json(body, { status, headers });
}

/** Starts the service worker. Returns whether it controls the page. */
async function startWorker(handler: ReturnType<typeof http.all>): Promise<boolean> {
  if (location.protocol === "file:" || !("serviceWorker" in navigator)) return false;
  try {
    await setupWorker(handler).start({
      quiet: true,
      onUnhandledFrame: "bypass",
      serviceWorker: { url: new URL("mockServiceWorker.js", location.href).href },
    });
    // A reload with Shift bypasses the service worker.
    return navigator.serviceWorker.controller !== null;
  } catch {
    return false;
  }
}
