/** The form of the playground: operation, example, input fields, service and headers. */
import {
  operationsId,
  type PlaygroundExample,
  type PlaygroundField,
  type PlaygroundOperation,
} from "../../playground/page-data.ts";
import type { SampleRequest } from "../../samples/request.ts";
import { configuredUrl } from "../configured-service.ts";
import { createElement, findPart } from "../elements.ts";
import { buildRequest, inBrowserMock, type Service, serviceAt } from "./send-request.ts";

/** The content of the form. */
export interface Form {
  element: HTMLFormElement;
  request(): SampleRequest;
  /** Whether the documented response of the selected example is an error. */
  fails(): boolean;
  /** The base URL in code samples; for the mock in the page, which other programs cannot reach, that of a mock on this machine. */
  shownUrl(): string;
  /** The selected service; starts the mock in the page if that is selected. */
  service(): Promise<Service>;
}

const element = findPart("form", HTMLFormElement);
const operationList = findPart("operation", HTMLSelectElement);
const exampleList = findPart("example", HTMLSelectElement);
const fieldPlace = findPart("fields", HTMLElement);
const reference = findPart("reference", HTMLAnchorElement);
const mockRadio = findPart("mock", HTMLInputElement);
const serviceRadio = findPart("service", HTMLInputElement);
const baseUrl = findPart("base-url", HTMLInputElement);
const key = findPart("key", HTMLInputElement);
const preferRow = findPart("prefer-row", HTMLElement);
const prefer = findPart("prefer", HTMLInputElement);

const operations = JSON.parse(document.getElementById(operationsId)?.textContent ?? "[]") as PlaygroundOperation[];
const documentedKeys = new Set(operations.flatMap(({ examples }) => examples.map((example) => example.key)));
/** Value of the option that is selected when the reader has changed a field. */
const ownInput = "";

let fields: Fields;

/** Shows the operation and example of the page's URL, and calls `changed` when a value changes. */
export function showForm(changed: () => void): Form {
  fillOperations();
  const { operation: linkedOperation, example: linkedExample } = readSelection();
  if (operations.some(({ operationId }) => operationId === linkedOperation)) operationList.value = linkedOperation ?? "";
  showOperation(linkedExample);
  operationList.addEventListener("change", () => showOperation());
  exampleList.addEventListener("change", showExample);
  fieldPlace.addEventListener("input", showOwnInput);
  baseUrl.addEventListener("input", () => {
    serviceRadio.checked = true;
  });
  for (const kind of ["input", "change"]) element.addEventListener(kind, changed);
  element.hidden = false;
  void configuredUrl().then((url) => {
    if (url === undefined || serviceRadio.checked) return;
    baseUrl.value = url;
    serviceRadio.checked = true;
    changed();
  });
  return {
    element,
    request: () => buildRequest(operation(), fields.values(), { key: key.value.trim(), prefer: prefer.value.trim() }),
    fails: () => (example()?.status ?? 200) >= 300,
    shownUrl: () => (serviceRadio.checked ? baseUrl.value.trim().replace(/\/+$/, "") : baseUrl.placeholder),
    service: async () =>
      mockRadio.checked
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

function showOperation(linkedExample?: string): void {
  const { examples, reference: path, summary } = operation();
  fields = showFields(fieldPlace, operation());
  const options = examples.map(({ condition, summary: exampleSummary, status }) =>
    createElement("option", { value: condition }, status < 300 ? exampleSummary : `${exampleSummary} (${status})`),
  );
  exampleList.replaceChildren(...options, createElement("option", { value: ownInput, disabled: "" }, "Your own input"));
  const known = examples.find(({ condition }) => condition === linkedExample) ?? examples[0];
  exampleList.value = known?.condition ?? ownInput;
  reference.href = new URL(`../${path}`, location.href).href;
  reference.textContent = `${summary}, in the reference`;
  showExample();
}

function showExample(): void {
  const { values = {}, prefer: preference = "", key: documentedKey } = example() ?? {};
  fields.fill(values);
  showPreference(preference);
  // Keeps a key that the reader entered; removes the documented key of another example.
  if (documentedKey !== undefined) key.value = documentedKey;
  else if (documentedKeys.has(key.value)) key.value = "";
  writeSelection({ operation: operation().operationId, example: example()?.condition });
}

function showOwnInput(): void {
  exampleList.value = ownInput;
  showPreference("");
  writeSelection({ operation: operation().operationId, example: undefined });
}

function showPreference(preference: string): void {
  prefer.value = preference;
  preferRow.hidden = preference === "";
}

/** Operation and example in the query of the page's URL, so that a link can select them. Inputs and keys are never in it. */
interface Selection {
  operation: string | undefined;
  example: string | undefined;
}

function readSelection(): Selection {
  const query = new URLSearchParams(location.search);
  return { operation: query.get("operation") ?? undefined, example: query.get("example") ?? undefined };
}

function writeSelection({ operation: id, example: condition }: Selection): void {
  // Browsers refuse replaceState on file: pages.
  if (location.protocol === "file:") return;
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries({ operation: id, example: condition })) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  history.replaceState(null, "", `?${query}${location.hash}`);
}

type Control = HTMLInputElement | HTMLSelectElement;

/** The shown fields. */
interface Fields {
  values(): Record<string, string>;
  fill(values: Readonly<Record<string, string>>): void;
}

/** Shows the fields of an operation. */
function showFields(place: HTMLElement, { fields, oneOf }: PlaygroundOperation): Fields {
  const controls = new Map(fields.map((field) => [field.name, createControl(field)] as const));
  const rows = fields.map((field) => {
    const control = controls.get(field.name);
    return control === undefined ? "" : createRow(field, control, oneOf);
  });
  place.replaceChildren(...(rows.length > 0 ? rows : [createElement("p", { class: "none" }, "This operation has no input.")]));
  return {
    values: () => Object.fromEntries([...controls].map(([name, control]) => [name, control.value])),
    fill(values) {
      for (const [name, control] of controls) control.value = values[name] ?? "";
    },
  };
}

function createControl({ name, type }: PlaygroundField): Control {
  const attributes = { id: `field-${name}`, name, autocomplete: "off", "aria-describedby": `need-${name} about-${name}` };
  if (type !== "boolean")
    return createElement("input", { ...attributes, type: "text", spellcheck: "false", autocapitalize: "off" });
  const options = ["", "true", "false"].map((value) => createElement("option", { value }, value === "" ? "not sent" : value));
  return createElement("select", attributes, ...options);
}

function createRow({ name, about, required }: PlaygroundField, control: Control, oneOf: readonly string[]): HTMLElement {
  const others = oneOf.filter((other) => other !== name);
  const need = required ? "required" : oneOf.includes(name) ? `or ${others.join(" or ")}` : "optional";
  return createElement(
    "div",
    { class: "field" },
    createElement(
      "div",
      {},
      createElement("label", { for: control.id }, createElement("code", {}, name)),
      createElement("span", { id: `need-${name}`, class: "need" }, need),
    ),
    control,
    createElement("small", { id: `about-${name}` }, about),
  );
}
