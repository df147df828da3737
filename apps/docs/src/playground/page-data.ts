/** The data of the playground page: the build writes it as JSON, the page's script reads it. */

/** An input of a request. */
export interface PlaygroundField {
  name: string;
  place: "query" | "body";
  /** The first sentence of its description. */
  about: string;
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
  key?: string;
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
  /** Path of its page of the reference, from the root of the site. */
  reference: string;
  fields: PlaygroundField[];
  /** Fields of which a request has exactly one. */
  oneOf: string[];
  /** Fields that a request has together or not at all. */
  together: string[];
  examples: PlaygroundExample[];
}

/** Id of the element that holds the operations as JSON. */
export const operationsId = "playground-operations";
