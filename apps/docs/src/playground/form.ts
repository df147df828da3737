/** The operations as the page's data has them: written by the build, read by the script of the playground. */

/** One input of a request. */
export interface PlaygroundField {
  name: string;
  place: "query" | "body";
  /** The first sentence of its description. */
  about: string;
  required: boolean;
  /** Type of the value in a body; in a query all values are text. */
  type: "string" | "number" | "boolean";
}

/** One documented request, as texts for the fields. */
export interface PlaygroundExample {
  condition: string;
  summary: string;
  status: number;
  values: Record<string, string>;
  /** The documented key, which is not valid anywhere. */
  key?: string;
  /** The `Prefer` header with which a mock gives this answer, if the request alone leads to another. */
  prefer?: string;
}

/** An operation as a form. */
export interface PlaygroundOperation {
  operationId: string;
  summary: string;
  tag: string;
  method: string;
  path: string;
  /** Its place in the reference, from the root of the site. */
  reference: string;
  fields: PlaygroundField[];
  /** Fields of which a request has exactly one. */
  oneOf: string[];
  examples: PlaygroundExample[];
}

/** Id of the element that holds the operations as JSON. */
export const operationsId = "playground-operations";
