/** From what stands in the form to a request. */
import type { PlaygroundField, PlaygroundOperation } from "../../playground/form.ts";
import type { SampleRequest } from "../../samples/request.ts";

/** What a reader has put in besides the fields. */
export interface Extras {
  key: string;
  /** What a mock is told about the wanted answer. */
  prefer: string;
}

/** Makes the request. An optional field without text is left out; a required one is sent empty, for the service to judge. */
export function requestOf(
  { operationId, method, path, fields }: PlaygroundOperation,
  values: Readonly<Record<string, string>>,
  { key, prefer }: Extras,
): SampleRequest {
  const given = fields.filter(({ name, required }) => required || values[name] !== "");
  const members = (place: PlaygroundField["place"]): Record<string, string | number | boolean> =>
    Object.fromEntries(given.filter((field) => field.place === place).map((field) => [field.name, written(field, values)]));
  return {
    operationId,
    method,
    path,
    query: members("query"),
    headers: { ...(key === "" ? {} : { "X-API-Key": key }), ...(prefer === "" ? {} : { Prefer: prefer }) },
    ...(method === "GET" ? {} : { body: members("body") }),
  };
}

/** A text that is no number or would lose digits as one stays a text, for the service to judge. */
function written({ name, type }: PlaygroundField, values: Readonly<Record<string, string>>): string | number | boolean {
  const text = values[name] ?? "";
  if (type === "boolean") return text === "true";
  return type === "number" && String(Number(text)) === text && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}
