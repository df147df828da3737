/** What the playground knows of an operation: made from the contract when the site is built, and read again in the page. */

/** One input of a request. */
export interface PlaygroundField {
  name: string;
  /** Where a request carries it. */
  place: "query" | "body";
  /** One sentence of the contract. */
  about: string;
  required: boolean;
  /** How a body writes the value; in a query all is text. */
  type: "string" | "number" | "boolean";
}

/** One documented request, as texts for the fields. */
export interface PlaygroundExample {
  condition: string;
  summary: string;
  status: number;
  values: Record<string, string>;
  /** The documented key, which opens nothing. */
  key?: string;
  /** What a mock has to be told to give this answer, where the request alone leads to another. */
  prefer?: string;
}

/** An operation as a form. */
export interface PlaygroundOperation {
  operationId: string;
  summary: string;
  tag: string;
  method: string;
  path: string;
  /** Where the reference tells of it, from the root of the site. */
  reference: string;
  fields: PlaygroundField[];
  /** The fields of which a request has exactly one. */
  oneOf: string[];
  examples: PlaygroundExample[];
}

/** The ids of the elements through which a page and its script meet. */
export const playgroundIds = { operations: "playground-operations", root: "playground" } as const;
