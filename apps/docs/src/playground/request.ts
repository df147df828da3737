/** The data of the playground page, which the build writes as JSON and the page's script reads, and the request of its form. */
import type { SampleRequest } from "../samples/request.ts";

export interface PlaygroundField {
  name: string;
  place: "query" | "body";
  /** The first sentence of its description. */
  about: string;
  need: string;
  required: boolean;
  /** Type of the value in a body; in a query all values are text. */
  type: "string" | "number" | "boolean";
}

/** A documented request, with a text for each field. */
export interface PlaygroundExample {
  condition: string;
  summary: string;
  status: number;
  values: Record<string, string>;
  /** The documented API key, which no service accepts. */
  key?: string | undefined;
  /** The `Prefer` header that selects this response of a mock, if the request alone gets another. */
  prefer?: string;
}

/** An operation as a form. */
export interface PlaygroundOperation {
  operationId: string;
  summary: string;
  tag: string;
  method: string;
  path: string;
  fields: PlaygroundField[];
  /** Fields that a request has together or not at all. */
  together: string[];
  examples: PlaygroundExample[];
}

/** Builds a request. Empty optional fields are left out; empty required ones are sent, so that the service refuses them. */
export function buildRequest(
  { operationId, method, path, fields, together }: PlaygroundOperation,
  values: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): SampleRequest {
  const sent = fields.filter(({ name, required }) => required || values[name] !== "");
  const members = (place: PlaygroundField["place"]) =>
    Object.fromEntries(
      sent.filter((one) => one.place === place).map((one) => [one.name, inputValue(one.type, values[one.name] ?? "")]),
    );
  return {
    operationId,
    method,
    path,
    query: members("query"),
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== "")),
    ...(method === "GET" ? {} : { body: members("body") }),
    together,
  };
}

/** A number is sent as text if conversion would change it, such as 007 or 2^53 + 1. */
function inputValue(type: PlaygroundField["type"], text: string): string | number | boolean {
  if (type === "boolean") return text === "true";
  return type === "number" && String(Number(text)) === text && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}
