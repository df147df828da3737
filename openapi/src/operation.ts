/** The operations of the contract as data: the types of `@chain-query/openapi/operations`. */

/** One operation, with every reference of the contract resolved. */
export interface Operation<Id extends string = string> {
  readonly id: Id;
  readonly method: "GET" | "POST";
  readonly path: string;
  /** The section of the reference that it belongs to. */
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Address of its page in the published reference. */
  readonly docsUrl: string;
  /** Alternatives, each a list of security schemes to satisfy; the empty list needs no key. */
  readonly security: readonly (readonly string[])[];
  readonly inputs: readonly Input[];
  /** Inputs of which a request has exactly one; empty if the operation has no such choice. */
  readonly oneOf: readonly string[];
  /** Inputs that a request has together or not at all. */
  readonly together: readonly string[];
  /** Schema of the body of a POST, or of all parameters of a GET as one object. */
  readonly request: Schema;
  /** Schema of the body of a successful response. */
  readonly envelope: Schema;
  /** Schema of the `result` member of {@link envelope}. */
  readonly result: Schema;
  /** Every documented response that has a body, successes first. */
  readonly responses: readonly Response[];
  /** In the order of the contract. */
  readonly examples: readonly DocumentedExample<Id>[];
  /** Ids of the decisions that concern it or its schemas, such as `D-07`. */
  readonly decisions: readonly string[];
  /** Id of the decision about the operation itself. */
  readonly decision?: string;
}

/** A member of a body or a parameter of a query. */
export interface Input {
  /** The name on the wire. */
  readonly name: string;
  readonly in: "query" | "body";
  /** Whether it is required; the inputs of {@link Operation.oneOf} are not, since a request has only one of them. */
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly kind: InputKind;
  /** Inclusive bounds of an integer or a decimal string. */
  readonly range?: { readonly least: bigint; readonly most: bigint };
  /** Id of the decision about the parameter; a decision about a member of a body is the `x-decision` of its schema. */
  readonly decision?: string;
}

/** How an input is parsed. */
export type InputKind = "address" | "addressOrEmpty" | "hash" | "integer" | "boolean" | "string";

/** The documented response of one status. */
export interface Response {
  /** A status, or `default` for all others. */
  readonly status: string;
  readonly description: string;
  /** Keyed by header name, in the contract's case. */
  readonly headers: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>>;
  readonly schema: Schema;
  /** Keyed by condition. Those of a response that operations share may follow any request. */
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly status: number; readonly value: unknown }>>;
}

/** A documented request and its response. */
export interface DocumentedExample<Id extends string = string> {
  readonly operationId: Id;
  /** Name of the case, such as `uninitialized` or `last-page`. */
  readonly condition: string;
  /** Description of the case in a few words. */
  readonly summary: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query: Readonly<Record<string, string | number | boolean>>;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: Readonly<Record<string, unknown>>;
  };
  readonly response: { readonly status: number; readonly body: Readonly<Record<string, unknown>> };
}

/** Metadata of the contract. */
export interface Info {
  readonly title: string;
  readonly version: string;
  readonly summary: string;
  /** Markdown. */
  readonly description: string;
  /** URL of the first server, with the defaults of its variables. */
  readonly baseUrl: string;
  /** Address of the published documentation, with a trailing slash. */
  readonly docsUrl: string;
}

/** One decision of DECISIONS.md. */
export interface Decision {
  /** Such as `D-07`. */
  readonly id: string;
  readonly title: string;
  /** The Markdown after "We chose". */
  readonly chosen: string;
  /** Where the contract names it. */
  readonly places: readonly DecisionPlace[];
}

/** An operation by its id, a component such as `ext.message.source`, or, without either, the whole contract. */
export interface DecisionPlace {
  readonly operation?: string;
  readonly component?: string;
}

/** The keywords of JSON Schema that the contract uses. */
export interface Schema {
  /** The name of the schema in the contract, such as `LogicalTime`; absent if it has none. */
  readonly title?: string;
  readonly type?: SchemaType | readonly SchemaType[];
  readonly description?: string;
  readonly "x-decision"?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  /** The values that are known; a receiver accepts others too. */
  readonly "x-extensible-enum"?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly contentEncoding?: string;
  readonly contentMediaType?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** The bounds of a decimal string, inclusive. Numbers of JSON would lose digits. */
  readonly "x-minimum"?: string;
  readonly "x-maximum"?: string;
  /** How an input is parsed, if its type does not tell. */
  readonly "x-kind"?: InputKind;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly discriminator?: { readonly propertyName: string };
}

/** A type of JSON Schema. */
type SchemaType = "string" | "integer" | "number" | "boolean" | "object" | "array" | "null";
