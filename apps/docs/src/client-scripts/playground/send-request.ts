/** Sends playground requests, to the mock in the page or to a service at a base URL. */
import type { PlaygroundField, PlaygroundOperation } from "../../playground/page-data.ts";
import type { SampleRequest } from "../../samples/request.ts";
import { loadScript } from "../elements.ts";
import type { InBrowserMock } from "../mock.ts";

/** The target of requests. */
export interface Service {
  /** Without a trailing slash. */
  baseUrl: string;
  fetch: (request: Request) => Promise<Response>;
}

/** The shown members of a response. */
export interface PlaygroundResponse {
  status: number;
  reason: string;
  headers: [name: string, value: string][];
  text: string;
  /** Size of the decoded body. */
  bytes: number;
  milliseconds: number;
}

/** Headers from the form. */
interface FormHeaders {
  key: string;
  prefer: string;
}

/** Builds a request from the form. Empty optional fields are left out; empty required ones are sent, so that the service refuses them. */
export function buildRequest(
  { operationId, method, path, fields, together }: PlaygroundOperation,
  values: Readonly<Record<string, string>>,
  { key, prefer }: FormHeaders,
): SampleRequest {
  const sentFields = fields.filter(({ name, required }) => required || values[name] !== "");
  const members = (place: PlaygroundField["place"]): Record<string, string | number | boolean> =>
    Object.fromEntries(
      sentFields.filter((field) => field.place === place).map((field) => [field.name, inputValue(field, values)]),
    );
  return {
    operationId,
    method,
    path,
    query: members("query"),
    headers: { ...(key === "" ? {} : { "X-API-Key": key }), ...(prefer === "" ? {} : { Prefer: prefer }) },
    ...(method === "GET" ? {} : { body: members("body") }),
    together,
  };
}

/** A number is sent as text if conversion would change it, such as 007 or 2^53 + 1. */
function inputValue({ name, type }: PlaygroundField, values: Readonly<Record<string, string>>): string | number | boolean {
  const text = values[name] ?? "";
  if (type === "boolean") return text === "true";
  return type === "number" && String(Number(text)) === text && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

/** Sends a request. Rejects like `fetch` if there is no response. */
export async function sendRequest(request: SampleRequest, service: Service, signal: AbortSignal): Promise<PlaygroundResponse> {
  const { method, path, query, headers, body } = request;
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  const httpRequest = new Request(`${service.baseUrl}${path}${search === "" ? "" : `?${search}`}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal,
    cache: "no-store",
    credentials: "omit",
    referrerPolicy: "no-referrer",
    // A redirect could send the key to another host.
    redirect: "error",
  });
  const start = performance.now();
  const response = await abortable(service.fetch(httpRequest), signal);
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

/** Rejects when the signal aborts, since the mock in the page ignores the signal of a request. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });
}

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
