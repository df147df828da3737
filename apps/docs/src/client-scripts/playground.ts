/** The script of the playground: shows the form of an operation, sends it, and shows the response. */
import { buildRequest, type PlaygroundExample, type PlaygroundField, type PlaygroundOperation } from "../playground/request.ts";
import type { SampleRequest } from "../samples/request.ts";
import { samplesOf } from "../samples/samples.ts";

type Control = HTMLInputElement | HTMLSelectElement;

/** Finds an element by its `data-part`. */
function part<T extends HTMLElement>(name: string, kind: new () => T): T {
  const element = document.querySelector(`[data-part="${name}"]`);
  if (element instanceof kind) return element;
  throw new Error(`the page has no ${kind.name} with data-part="${name}"`);
}

function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.append(...children);
  return element;
}

const form = part("form", HTMLFormElement);
const operationList = part("operation", HTMLSelectElement);
const exampleList = part("example", HTMLSelectElement);
const fieldPlace = part("fields", HTMLElement);
const reference = part("reference", HTMLAnchorElement);
const serviceRadio = part("service", HTMLInputElement);
const baseUrl = part("base-url", HTMLInputElement);
const key = part("key", HTMLInputElement);
const prefer = part("prefer", HTMLInputElement);
const languages = part("languages", HTMLElement);
const cancel = part("cancel", HTMLButtonElement);
const outcome = part("outcome", HTMLElement);
const bodyFigure = part("response", HTMLElement);
const headers = part("headers", HTMLDetailsElement);

const operations: PlaygroundOperation[] = JSON.parse(document.getElementById("operations")?.textContent ?? "[]");
const documentedKeys = new Set(operations.flatMap(({ examples }) => examples.map((example) => example.key)));
let controls = new Map<string, Control>();

function operation(): PlaygroundOperation {
  const found = operations.find(({ operationId }) => operationId === operationList.value);
  if (found === undefined) throw new Error(`the page has no operation ${operationList.value}`);
  return found;
}

/** The selected example; undefined if the reader has changed a field. */
function example(): PlaygroundExample | undefined {
  return operation().examples.find(({ condition }) => condition === exampleList.value);
}

function showOperation(condition?: string): void {
  const { examples, operationId, summary, fields } = operation();
  controls = new Map(fields.map((field) => [field.name, controlOf(field)]));
  fieldPlace.replaceChildren(...fields.map(rowOf), ...(fields.length === 0 ? ["This operation has no input."] : []));
  exampleList.replaceChildren(
    ...examples.map((one) => new Option(one.status < 300 ? one.summary : `${one.summary} (${one.status})`, one.condition)),
    create("option", { value: "", disabled: "" }, "Your own input"),
  );
  exampleList.value = (examples.find((one) => one.condition === condition) ?? examples[0])?.condition ?? "";
  reference.href = new URL(`../reference/${operationId}/`, location.href).href;
  reference.textContent = `${summary}, in the reference`;
  showExample();
}

function controlOf({ name, type }: PlaygroundField): Control {
  const attributes = { id: `field-${name}`, name, autocomplete: "off", "aria-describedby": `need-${name} about-${name}` };
  if (type !== "boolean") return create("input", { ...attributes, type: "text", spellcheck: "false", autocapitalize: "off" });
  return create("select", attributes, new Option("not sent", ""), new Option("true"), new Option("false"));
}

function rowOf({ name, about, need }: PlaygroundField): HTMLElement {
  const label = create("label", { for: `field-${name}` }, create("code", {}, name));
  const head = create("div", {}, label, create("span", { id: `need-${name}` }, need));
  return create("div", { class: "field" }, head, controls.get(name) ?? "", create("small", { id: `about-${name}` }, about));
}

function showExample(): void {
  const { values = {}, prefer: preference = "", key: documented } = example() ?? {};
  for (const [name, control] of controls) control.value = values[name] ?? "";
  // Keeps a key that the reader entered; removes the documented key of another example.
  if (documented !== undefined || documentedKeys.has(key.value)) key.value = documented ?? "";
  showSelection(preference);
}

/** Shows the `Prefer` header, and puts operation and example into the page's address. Inputs and keys are never in it. */
function showSelection(preference: string): void {
  prefer.value = preference;
  part("prefer-row", HTMLElement).hidden = preference === "";
  const query = new URLSearchParams({ operation: operation().operationId, ...(example() && { example: exampleList.value }) });
  history.replaceState(null, "", `?${query}${location.hash}`);
}

function request(): SampleRequest {
  const values = Object.fromEntries([...controls].map(([name, control]) => [name, control.value]));
  return buildRequest(operation(), values, { "X-API-Key": key.value.trim(), Prefer: prefer.value.trim() });
}

function showSample(): void {
  // Other programs cannot reach the mock in the page.
  const base = serviceRadio.checked ? baseUrl.value.trim().replace(/\/+$/, "") : baseUrl.placeholder;
  part("target", HTMLElement).textContent = serviceRadio.checked ? `To the service at ${base}` : "To the mock in this page";
  const language = languages.querySelector<HTMLInputElement>("input:checked")?.value;
  const samples = samplesOf(request(), base, (example()?.status ?? 200) >= 300);
  part("sample", HTMLElement).textContent = samples.find(({ label }) => label === language)?.source ?? "";
}

/** The base URL that the reader entered. Throws if it is not valid. */
function serviceUrl(): string {
  const text = baseUrl.value.trim();
  let url: URL | undefined;
  try {
    url = new URL(text);
  } catch {
    // URL.canParse is newer than the oldest browsers.
  }
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new Error(`Base URL: expected http:// or https://, such as http://127.0.0.1:4010, got ${text || "an empty text"}.`);
  }
  if (url.username !== "" || url.password !== "") throw new Error("Base URL: expected no user name and no password.");
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

async function respond(signal: AbortSignal): Promise<Response> {
  const { method, path, query, headers: own, body } = request();
  const search = `${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`;
  const base = serviceRadio.checked ? serviceUrl() : "http://mock.invalid";
  const sent = new Request(`${base}${path}${search && `?${search}`}`, {
    method,
    headers: { ...own, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
    ...{ signal, cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer" },
    // A redirect could send the key to another host.
    redirect: "error",
  });
  if (serviceRadio.checked) return fetch(sent);
  const { respondInPage } = await import(new URL(form.dataset["mock"] ?? "", location.href).href);
  return respondInPage(sent);
}

/** The base URL of the service that the site is configured with, without a trailing slash. */
async function configuredUrl(): Promise<string | undefined> {
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

let pending: AbortController | undefined;

async function send(): Promise<void> {
  pending?.abort();
  const controller = new AbortController();
  pending = controller;
  cancel.hidden = false;
  outcome.className = "outcome";
  outcome.textContent = "Waiting for the response…";
  const start = performance.now();
  try {
    const response = await respond(controller.signal);
    const text = await response.text();
    if (pending === controller) showResponse(response, text, performance.now() - start);
  } catch (error) {
    if (pending === controller) showFailure(error, controller.signal.aborted);
  }
  if (pending !== controller) return;
  cancel.hidden = true;
  // On a phone the response is below the form.
  if (matchMedia("(max-width: 62rem)").matches) outcome.scrollIntoView();
}

const advice: Readonly<Record<number, string>> = {
  401: "The service does not know this key. Without a key, one request per second is served.",
  403: "The key is not valid for this network.",
  404: "It does not exist, or not yet.",
  422: "The service refuses this input.",
};

function showResponse({ status, statusText, headers: own }: Response, text: string, milliseconds: number): void {
  const body: { error?: unknown } | undefined = jsonOf(text);
  const wait = own.get("retry-after");
  const waiting = wait === null ? "" : `The service asks to wait ${wait} s (Retry-After: ${wait}).`;
  const message = typeof body?.error === "string" ? `“${body.error}”` : "";
  const measures = `${Math.round(milliseconds)} ms, ${new TextEncoder().encode(text).length} bytes`;
  const words = status < 300 ? [] : [message, advice[status] ?? "", waiting];
  showOutcome(status < 300, `${status} ${statusText}`.trim(), measures, words.filter(Boolean).join(" "));
  part("body", HTMLElement).textContent = body === undefined ? text : JSON.stringify(body, null, 2);
  bodyFigure.hidden = text === "";
  part("header-list", HTMLElement).textContent = [...own].map(([name, value]) => `${name}: ${value}`).join("\n");
  headers.hidden = false;
}

/** Browsers hide the cause of a network error from pages. */
function showFailure(error: unknown, cancelled: boolean): void {
  const unreachable = `No response from ${baseUrl.value}. Either no service listens there, or it does not allow requests from other origins (CORS).`;
  const words = error instanceof TypeError ? unreachable : error instanceof Error ? error.message : String(error);
  showOutcome(false, cancelled ? "Cancelled" : "No response", "", cancelled ? "" : words);
  bodyFigure.hidden = headers.hidden = true;
}

function showOutcome(succeeded: boolean, title: string, measures: string, words: string): void {
  outcome.className = `outcome ${succeeded ? "success" : "failure"}`;
  const parts = [create("strong", {}, title), create("small", {}, measures), create("span", { class: "advice" }, words)];
  outcome.replaceChildren(...parts.filter(({ textContent }) => textContent !== "").flatMap((one) => [one, " "]));
}

function jsonOf(text: string): object | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const linked = new URLSearchParams(location.search);
if (operations.some(({ operationId }) => operationId === linked.get("operation"))) {
  operationList.value = linked.get("operation") ?? "";
}
showOperation(linked.get("example") ?? undefined);
operationList.addEventListener("change", () => showOperation());
exampleList.addEventListener("change", showExample);
fieldPlace.addEventListener("input", () => {
  exampleList.value = "";
  showSelection("");
});
baseUrl.addEventListener("input", () => {
  serviceRadio.checked = true;
});
for (const kind of ["input", "change"]) form.addEventListener(kind, showSample);
languages.addEventListener("change", showSample);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  void send();
});
cancel.addEventListener("click", () => {
  pending?.abort();
  part("send", HTMLButtonElement).focus();
});
form.hidden = false;
showSample();
void configuredUrl().then((url) => {
  if (url === undefined || serviceRadio.checked) return;
  baseUrl.value = url;
  serviceRadio.checked = true;
  showSample();
});
