/** One request and its answer. */
import type { SampleRequest } from "../../samples/request.ts";

/** Where requests go. */
export interface Service {
  /** Without a trailing slash. */
  baseUrl: string;
  fetch: (request: Request) => Promise<Response>;
}

/** An answer, as far as it is shown. */
export interface Answer {
  status: number;
  reason: string;
  headers: [name: string, value: string][];
  text: string;
  /** Bytes of the body as it was unpacked. */
  bytes: number;
  milliseconds: number;
}

/** Sends a request. Throws what `fetch` throws where there is no answer. */
export async function exchange(request: SampleRequest, service: Service, signal: AbortSignal): Promise<Answer> {
  const { method, path, query, headers, body } = request;
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  const message = new Request(`${service.baseUrl}${path}${search === "" ? "" : `?${search}`}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal,
    cache: "no-store",
    credentials: "omit",
    referrerPolicy: "no-referrer",
    // A redirect could carry the key to somebody else.
    redirect: "error",
  });
  const start = performance.now();
  const response = await aborted(service.fetch(message), signal);
  const bytes = await response.arrayBuffer();
  return {
    status: response.status,
    reason: response.statusText,
    headers: [...response.headers],
    text: new TextDecoder().decode(bytes),
    bytes: bytes.byteLength,
    milliseconds: performance.now() - start,
  };
}

/** Where the mock is asked directly there is no browser between that would end the request. */
function aborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });
}
