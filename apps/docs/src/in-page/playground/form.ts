/** The form: operation, input and service. */
import { operationsId, type PlaygroundExample, type PlaygroundOperation } from "../../playground/form.ts";
import type { SampleRequest } from "../../samples/request.ts";
import { createElement, findPart } from "./elements.ts";
import { requestOf, type Service } from "./exchange.ts";
import { type Fields, showFields } from "./fields.ts";
import { configuredUrl, inBrowserMock, serviceAt } from "./services.ts";

/** The content of the form. */
export interface Form {
  element: HTMLFormElement;
  request(): SampleRequest;
  /** Whether the documented answer of the selected example is an error. */
  fails(): boolean;
  /** The base URL in code samples; for the mock in the page, which other programs cannot reach, that of a mock on this machine. */
  shownUrl(): string;
  /** The selected service; starts the mock in the page if it is that. */
  service(): Promise<Service>;
}

const element = findPart("form", HTMLFormElement);
const operationList = findPart("operation", HTMLSelectElement);
const exampleList = findPart("example", HTMLSelectElement);
const fieldPlace = findPart("fields", HTMLElement);
const reference = findPart("reference", HTMLAnchorElement);
const inPage = findPart("in-page", HTMLInputElement);
const elsewhere = findPart("elsewhere", HTMLInputElement);
const baseUrl = findPart("base-url", HTMLInputElement);
const key = findPart("key", HTMLInputElement);
const preferRow = findPart("prefer-row", HTMLElement);
const prefer = findPart("prefer", HTMLInputElement);

const operations = JSON.parse(document.getElementById(operationsId)?.textContent ?? "[]") as PlaygroundOperation[];
const documentedKeys = new Set(operations.flatMap(({ examples }) => examples.map((example) => example.key)));
/** The option of the examples that is selected when the reader has changed a field. */
const ownInput = "";

let fields: Fields;

/** Shows the operation and example that the address names, and calls `changed` when a value changes. */
export function showForm(changed: () => void): Form {
  fillOperations();
  const { operation: wanted, example: wantedExample } = placeInAddress();
  if (operations.some(({ operationId }) => operationId === wanted)) operationList.value = wanted ?? "";
  showOperation(wantedExample);
  operationList.addEventListener("change", () => showOperation());
  exampleList.addEventListener("change", showExample);
  fieldPlace.addEventListener("input", showOwnInput);
  baseUrl.addEventListener("input", () => {
    elsewhere.checked = true;
  });
  for (const kind of ["input", "change"]) element.addEventListener(kind, changed);
  element.hidden = false;
  void configuredUrl().then((url) => {
    if (url === undefined || elsewhere.checked) return;
    baseUrl.value = url;
    elsewhere.checked = true;
    changed();
  });
  return {
    element,
    request: () => requestOf(operation(), fields.values(), { key: key.value.trim(), prefer: prefer.value.trim() }),
    fails: () => (example()?.status ?? 200) >= 300,
    shownUrl: () => (elsewhere.checked ? baseUrl.value.trim().replace(/\/+$/, "") : baseUrl.placeholder),
    service: async () =>
      inPage.checked
        ? inBrowserMock(new URL(element.dataset["mockScript"] ?? "", location.href).href)
        : serviceAt(baseUrl.value),
  };
}

function operation(): PlaygroundOperation {
  const found = operations.find(({ operationId }) => operationId === operationList.value);
  if (found === undefined) throw new Error(`the page has no operation ${operationList.value}`);
  return found;
}

function example(): PlaygroundExample | undefined {
  return operation().examples.find(({ condition }) => condition === exampleList.value);
}

function fillOperations(): void {
  for (const tag of new Set(operations.map((one) => one.tag))) {
    const options = operations
      .filter((one) => one.tag === tag)
      .map(({ operationId }) => createElement("option", {}, operationId));
    operationList.append(createElement("optgroup", { label: tag }, ...options));
  }
}

function showOperation(wantedExample?: string): void {
  const { examples, reference: path, summary } = operation();
  fields = showFields(fieldPlace, operation());
  const options = examples.map(({ condition, summary: what, status }) =>
    createElement("option", { value: condition }, status < 300 ? what : `${what} (${status})`),
  );
  exampleList.replaceChildren(...options, createElement("option", { value: ownInput, disabled: "" }, "Your own input"));
  const known = examples.find(({ condition }) => condition === wantedExample) ?? examples[0];
  exampleList.value = known?.condition ?? ownInput;
  reference.href = new URL(`../${path}`, location.href).href;
  reference.textContent = `${summary}, in the reference`;
  showExample();
}

function showExample(): void {
  const { values = {}, prefer: preference = "", key: documentedKey } = example() ?? {};
  fields.fill(values);
  showPreference(preference);
  // A key from the reader stays; a documented key of another example is removed.
  if (documentedKey !== undefined) key.value = documentedKey;
  else if (documentedKeys.has(key.value)) key.value = "";
  writePlace({ operation: operation().operationId, example: example()?.condition });
}

function showOwnInput(): void {
  exampleList.value = ownInput;
  showPreference("");
  writePlace({ operation: operation().operationId, example: undefined });
}

function showPreference(preference: string): void {
  prefer.value = preference;
  preferRow.hidden = preference === "";
}

/** Operation and example in the address, so that a link can name them. Inputs and keys are never in it. */
interface Place {
  operation: string | undefined;
  example: string | undefined;
}

function placeInAddress(): Place {
  const query = new URLSearchParams(location.search);
  return { operation: query.get("operation") ?? undefined, example: query.get("example") ?? undefined };
}

function writePlace({ operation: id, example: condition }: Place): void {
  // Browsers refuse replaceState on file: pages.
  if (location.protocol === "file:") return;
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries({ operation: id, example: condition })) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  history.replaceState(null, "", `?${query}${location.hash}`);
}
