/** Shows the input fields of an operation, and reads and fills them. */
import type { PlaygroundField, PlaygroundOperation } from "../../playground/page-data.ts";
import { createElement } from "./elements.ts";

type Control = HTMLInputElement | HTMLSelectElement;

/** The shown fields. */
export interface Fields {
  values(): Record<string, string>;
  fill(values: Readonly<Record<string, string>>): void;
}

/** Replaces the shown fields by those of an operation. */
export function showFields(place: HTMLElement, { fields, oneOf }: PlaygroundOperation): Fields {
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
